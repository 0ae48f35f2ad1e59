import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
} from 'react-aria-components/Menu';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { Kbd } from './kbd.tsx';
import popoverStyles from './popover.module.css';
import styles from './menu.module.css';

export { MenuSection, MenuTrigger } from 'react-aria-components/Menu';

/** See {@link Menu}. */
export interface MenuProps extends Omit<AriaMenuProps<object>, 'className' | 'style' | 'children' | 'items'> {
  /** Name for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
  readonly placement?: PopoverProps['placement'];
}

/** Things to do, or to choose from: `<MenuTrigger><Button/><Menu label=…><MenuItem/></Menu></MenuTrigger>`. */
export function Menu({ label, placement = 'bottom start', children, ...props }: MenuProps) {
  return (
    <Popover className={popoverStyles.popover} offset={4} placement={placement}>
      <AriaMenu {...props} aria-label={label} className={styles.menu}>
        {children}
      </AriaMenu>
    </Popover>
  );
}

/** See {@link MenuItem}. */
export interface MenuItemProps extends Omit<AriaMenuItemProps, 'className' | 'style' | 'children'> {
  readonly icon?: LucideIcon | undefined;
  readonly children: ReactNode;
  /** Shown at the end: `mod+K`. */
  readonly shortcut?: string | undefined;
}

/** One line of a {@link Menu}. */
export function MenuItem({ icon: Icon, children, shortcut, ...props }: MenuItemProps) {
  return (
    <AriaMenuItem {...props} className={styles.item} {...(typeof children === 'string' && { textValue: children })}>
      {({ selectionMode, isSelected }) => (
        <>
          {Icon !== undefined && <Icon size={15} aria-hidden />}
          <span className={styles.text}>{children}</span>
          {shortcut !== undefined && <Kbd keys={shortcut} />}
          {selectionMode !== 'none' && <Check size={15} aria-hidden className={isSelected ? '' : styles.unchecked} />}
        </>
      )}
    </AriaMenuItem>
  );
}

/** A line between groups of items. */
export function MenuSeparator() {
  return <Separator className={styles.separator} />;
}
