import { lazy, Suspense } from 'react';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { SideMark } from './side-mark.tsx';
import styles from './one-side.module.css';

const SpanDetails = lazy(async () => ({
  default: (await import('#ui/routes/span/span-details.tsx')).SpanDetails,
}));

/** There is no header that says what the whole trace has in common. */
const NO_FACTS = { sessionId: undefined, userId: undefined, tags: [] } as const;

/** A span that one of the traces has alone. */
export function OneSide({ spanNodeId, side }: { readonly spanNodeId: string; readonly side: 'A' | 'B' }) {
  return (
    <div className={styles.place}>
      <p className={styles.note}>
        <SideMark side={side} />
        Only trace {side} has this span.
      </p>
      <Suspense fallback={<Skeleton lines={6} />}>
        <SpanDetails spanNodeId={spanNodeId} traceFacts={NO_FACTS} />
      </Suspense>
    </div>
  );
}
