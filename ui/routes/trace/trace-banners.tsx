import { CircleDashed, FileWarning, LoaderCircle, MapPinOff, ScrollText, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/components/button.tsx';
import { formatExact } from '#ui/lib/format.ts';
import type { TraceState } from './trace-source.ts';
import { DamagedSpansNotice } from './damaged-spans.tsx';
import styles from './trace-banners.module.css';
import { UnattachedLogs } from './unattached-logs.tsx';
import { useDamagedSpans } from './use-damaged-spans.ts';

/** What is not as it should be, or not yet, in plain words. */
export function TraceBanners(props: {
  readonly state: TraceState;
  /** The address names a span that is not among those that were read. */
  readonly isSpanMissing: boolean;
  readonly onRetry: () => void;
}) {
  const { state, isSpanMissing, onRetry } = props;
  const { phase, forest, summary, loadedCount, error } = state;
  const damaged = useDamagedSpans(phase === 'complete' ? (summary ?? undefined) : undefined);
  if (forest.nodes.length === 0) return null;
  const waiting = forest.orphanCount;
  return (
    <div className={styles.banners}>
      {phase === 'loading' && (
        <Banner icon={<LoaderCircle size={14} aria-hidden className={styles.turning} />}>
          {formatExact(loadedCount)} of {formatExact(summary?.spanCount ?? loadedCount)} spans loaded
        </Banner>
      )}
      {error !== null && (
        <Banner tone="danger" icon={<TriangleAlert size={14} aria-hidden />}>
          <span className={styles.text}>
            {phase === 'complete' ? 'New spans could not be loaded. ' : 'Only part of the trace could be loaded. '}
            {error.message}
          </span>
          <Button size="sm" onPress={onRetry}>
            Try again
          </Button>
        </Banner>
      )}
      {damaged.spans.length > 0 && (
        <Banner tone="danger" icon={<FileWarning size={14} aria-hidden />}>
          <DamagedSpansNotice damaged={damaged} />
        </Banner>
      )}
      {phase === 'complete' && isSpanMissing && (
        <Banner icon={<MapPinOff size={14} aria-hidden />}>
          The address names a span that is not in this trace. It may not have been received yet, or it was deleted.
        </Banner>
      )}
      {phase === 'complete' && waiting > 0 && (
        <Banner icon={<CircleDashed size={14} aria-hidden />}>
          {forest.hasRoot ? '' : 'The root of this trace has not arrived. '}
          {waiting === 1 ? '1 span names a parent' : `${formatExact(waiting)} spans name a parent`} that was not
          received; {waiting === 1 ? 'it moves' : 'they move'} into place when it arrives.
        </Banner>
      )}
      {phase === 'complete' && summary !== null && summary.unattachedLogCount > 0 && (
        <Banner icon={<ScrollText size={14} aria-hidden />}>
          <UnattachedLogs traceNodeId={summary.id} count={summary.unattachedLogCount} />
        </Banner>
      )}
    </div>
  );
}

function Banner(props: { readonly tone?: 'danger'; readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <output className={styles.banner} data-tone={props.tone}>
      {props.icon}
      <span className={styles.text}>{props.children}</span>
    </output>
  );
}
