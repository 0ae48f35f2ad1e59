import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './spinner.module.css';

/** Turns while something is under way. */
export function Spinner({ label, size = 14 }: { readonly label: string; readonly size?: number }) {
  return (
    <>
      <svg className={styles.spinner} width={size} height={size} viewBox="0 0 16 16" aria-hidden>
        <circle cx="8" cy="8" r="6.5" />
        <path d="M8 1.5a6.5 6.5 0 0 1 6.5 6.5" />
      </svg>
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  );
}
