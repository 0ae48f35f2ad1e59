import { RotateCw, TriangleAlert } from 'lucide-react';
import { describeError } from '#ui/lib/describe-error.ts';
import { Button } from './button.tsx';
import styles from './state.module.css';

/** See {@link ErrorState}. */
export interface ErrorStateProps {
  /** What could not be done: `The spans could not be loaded`. */
  readonly title: string;
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Stands where something failed: what, why, and a way on. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <TriangleAlert size={22} strokeWidth={1.5} aria-hidden className={styles.danger} />
      <p className={styles.title}>{title}</p>
      {error !== undefined && <p className={styles.text}>{describeError(error)}</p>}
      {onRetry !== undefined && (
        <div className={styles.action}>
          <Button icon={RotateCw} onPress={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
