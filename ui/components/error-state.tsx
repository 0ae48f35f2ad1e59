import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeError } from '#ui/lib/describe-error.ts';
import { objectionOf } from '#ui/lib/server-error.ts';
import { Button } from './button.tsx';
import styles from './state.module.css';

/** See {@link ErrorState}. */
export interface ErrorStateProps {
  /** What could not be done: `The spans could not be loaded`. */
  readonly title: string;
  readonly error?: unknown;
  /** Offered where the same may be answered another time. */
  readonly onRetry?: (() => void) | undefined;
  /** Other ways on. */
  readonly action?: ReactNode;
  /** What helps to choose one. */
  readonly children?: ReactNode;
}

/** Stands where something failed: what, why, and a way on. */
export function ErrorState({ title, error, onRetry, action, children }: ErrorStateProps) {
  const canRetry = onRetry !== undefined && objectionOf(error) !== 'refused';
  return (
    <div className={styles.state} role="alert">
      <TriangleAlert size={22} strokeWidth={1.5} aria-hidden className={styles.danger} />
      <p className={styles.title}>{title}</p>
      {error !== undefined && <p className={styles.text}>{describeError(error)}</p>}
      {children}
      {(canRetry || action !== undefined) && (
        <div className={styles.action}>
          {action}
          {canRetry && (
            <Button icon={RotateCw} onPress={onRetry}>
              Try again
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
