import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components/Checkbox';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './checkbox.module.css';

/** See {@link Checkbox}. */
export interface CheckboxProps extends Omit<AriaCheckboxProps, 'children' | 'className' | 'style'> {
  /** Without it an `aria-label` is needed. */
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

/** One choice of several that can hold together. */
export function Checkbox({ children, className, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className={classNames(styles.checkbox, className)}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.box}>
            {isIndeterminate ? (
              <Minus size={12} strokeWidth={3} aria-hidden />
            ) : (
              isSelected && <Check size={12} strokeWidth={3} aria-hidden />
            )}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}
