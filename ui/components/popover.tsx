import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './popover.module.css';

export { DialogTrigger as PopoverTrigger } from 'react-aria-components/Dialog';

/** See {@link Popover}. */
export interface PopoverProps extends Omit<AriaPopoverProps, 'children' | 'className' | 'style'> {
  /** Name for screen readers. */
  readonly label: string;
  readonly children: ReactNode | ((parts: { close: () => void }) => ReactNode);
  readonly className?: string | undefined;
}

/** A small panel at the button that opens it: `<PopoverTrigger><Button/><Popover/></PopoverTrigger>`. */
export function Popover({ label, children, className, ...props }: PopoverProps) {
  return (
    <AriaPopover offset={4} {...props} className={styles.popover}>
      <Dialog className={classNames(styles.content, className)} aria-label={label}>
        {children}
      </Dialog>
    </AriaPopover>
  );
}
