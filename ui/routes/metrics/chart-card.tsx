import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { chartAnchor } from './chart-anchor.ts';
import styles from './metrics-page.module.css';

/** The place of a chart, which fails by itself. */
export function Card(props: {
  readonly title: string;
  readonly resetKey: string;
  /** Whether it takes all of the width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div id={chartAnchor(props.title)} className={styles.card} data-wide={props.isWide}>
      <ErrorBoundary fallbackTitle={`${props.title} could not be loaded`} resetKey={props.resetKey}>
        <Suspense fallback={<Skeleton width="100%" height="246px" />}>{props.children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}
