import type { LucideIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classNames } from '#ui/lib/class-names.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';
import styles from './button.module.css';

/** See {@link Button}. */
export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  readonly variant?: 'primary' | 'secondary' | 'ghost' | 'danger';
  readonly size?: 'sm' | 'md';
  readonly icon?: LucideIcon | undefined;
  readonly children?: ReactNode;
  /** Explains it while it is pointed at or focused. */
  readonly tooltip?: ReactNode;
  /** Shown in the tooltip: `mod+K`. */
  readonly shortcut?: string | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with a text; for an icon alone see {@link IconButton}. At most one `primary` on a screen. */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon: Icon,
  children,
  tooltip,
  shortcut,
  className,
  isPending,
  ...props
}: ButtonProps) {
  const button = (
    <AriaButton
      {...props}
      {...(isPending !== undefined && { isPending })}
      className={classNames(styles.button, styles[variant], styles[size], children == null && styles.square, className)}
    >
      {isPending === true ? <Spinner label="Working" /> : Icon !== undefined && <Icon size={ICON_SIZE} aria-hidden />}
      {children}
    </AriaButton>
  );
  if (tooltip === undefined) return button;
  return (
    <Tooltip content={tooltip} shortcut={shortcut}>
      {button}
    </Tooltip>
  );
}

/** See {@link IconButton}. */
export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'tooltip' | 'icon' | 'aria-label'> {
  readonly icon: LucideIcon;
  /** Name for those who do not see it, and its tooltip. */
  readonly label: string;
  /** For a button that stays down. */
  readonly isPressed?: boolean | undefined;
}

/** A button that is an icon. */
export function IconButton({ label, isPressed, variant = 'ghost', className, ...props }: IconButtonProps) {
  return (
    <Button
      {...props}
      variant={variant}
      className={classNames(isPressed === true && styles.pressed, className)}
      tooltip={label}
      aria-label={label}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
    />
  );
}

const ICON_SIZE = 15;
