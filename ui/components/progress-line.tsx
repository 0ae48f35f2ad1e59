import { classNames } from '#ui/lib/class-names.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './progress-line.module.css';

/** A thin line at the upper edge of a positioned parent while something is under way; what is done within 200 ms shows none. */
export function ProgressLine({ isActive, label = 'Loading' }: { readonly isActive: boolean; readonly label?: string }) {
  return (
    <output className={classNames(styles.line, isActive && styles.active)}>
      {isActive && <VisuallyHidden>{label}</VisuallyHidden>}
    </output>
  );
}
