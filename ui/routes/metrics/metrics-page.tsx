import { Filter, History } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useDeferredValue, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { parseFilter } from '#filter/parse-filter';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { formatDuration, formatTokens, formatUsd } from '#ui/lib/format.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { FilterBar } from '../project/filter/filter-bar.tsx';
import { joinFilters } from '../project/filter/join-filters.ts';
import { MatchCount } from '../project/filter/match-count.tsx';
import { useListScope } from '../project/list-scope.ts';
import { useProjectView } from '../project/project-view.ts';
import { periodOf } from './bucket-scale.ts';
import { TopModels } from './top-models.tsx';
import type { ChartSpec } from './span-chart.tsx';
import styles from './metrics-page.module.css';

const SpanChart = lazy(async () => ({ default: (await import('./span-chart.tsx')).SpanChart }));
const ModelsChart = lazy(async () => ({ default: (await import('./models-chart.tsx')).ModelsChart }));

const GOOD = '--color-success';
const BAD = '--color-danger';

/** Every chart, row by row; each is read by itself. */
const CHARTS: readonly ChartSpec[] = [
  {
    title: 'Traces by status',
    kind: 'bars',
    grain: 'traces',
    format: formatCount,
    series: [
      { label: 'OK', color: GOOD, measure: 'OK' },
      { label: 'Error', color: BAD, measure: 'ERROR' },
    ],
  },
  {
    title: 'Trace latency',
    kind: 'lines',
    grain: 'traces',
    format: formatDuration,
    series: [
      { label: 'P50', color: '--color-kind-reranker', measure: 'P50' },
      { label: 'P75', color: '--color-kind-retriever', measure: 'P75' },
      { label: 'P90', color: '--color-kind-llm', measure: 'P90' },
      { label: 'P95', color: '--color-kind-agent', measure: 'P95' },
      { label: 'P99', color: '--color-kind-tool', measure: 'P99' },
    ],
  },
  {
    title: 'Cost',
    kind: 'bars',
    grain: 'spans',
    format: formatUsd,
    series: [
      { label: 'Prompt', color: '--color-kind-llm', measure: 'PROMPT_COST' },
      { label: 'Completion', color: '--color-kind-agent', measure: 'COMPLETION_COST' },
    ],
  },
  {
    title: 'Tokens',
    kind: 'bars',
    grain: 'spans',
    format: formatTokens,
    series: [
      { label: 'Prompt', color: '--color-kind-llm', measure: 'PROMPT_TOKENS' },
      { label: 'Completion', color: '--color-kind-agent', measure: 'COMPLETION_TOKENS' },
    ],
  },
  {
    title: 'Prompt tokens by type',
    kind: 'bars',
    grain: 'spans',
    format: formatTokens,
    series: [
      { label: 'Read from cache', color: '--color-kind-retriever', measure: 'CACHE_READ_TOKENS' },
      { label: 'Written to cache', color: '--color-kind-tool', measure: 'CACHE_WRITE_TOKENS' },
      { label: 'Audio', color: '--color-kind-prompt', measure: 'PROMPT_AUDIO_TOKENS' },
    ],
  },
  {
    title: 'Completion tokens by type',
    kind: 'bars',
    grain: 'spans',
    format: formatTokens,
    series: [
      { label: 'Reasoning', color: '--color-kind-llm', measure: 'REASONING_TOKENS' },
      { label: 'Audio', color: '--color-kind-prompt', measure: 'COMPLETION_AUDIO_TOKENS' },
    ],
  },
  {
    title: 'LLM spans',
    kind: 'bars',
    grain: 'spans',
    filter: "span_kind == 'LLM'",
    format: formatCount,
    series: [
      { label: 'Without error', color: GOOD, measure: 'COUNT', less: 'ERROR_COUNT' },
      { label: 'Error', color: BAD, measure: 'ERROR_COUNT' },
    ],
  },
  {
    title: 'Tool spans',
    kind: 'bars',
    grain: 'spans',
    filter: "span_kind == 'TOOL'",
    format: formatCount,
    series: [
      { label: 'Without error', color: GOOD, measure: 'COUNT', less: 'ERROR_COUNT' },
      { label: 'Error', color: BAD, measure: 'ERROR_COUNT' },
    ],
  },
];

function formatCount(value: number): string {
  return value.toLocaleString('en');
}

/**
 * The metrics of a project over time, optionally filtered and compared with the previous period. Dragging narrows the time
 * range; a bucket leads to the rows behind it.
 */
export function MetricsPage() {
  const { projectId, timeRange, refreshCount, setRange, toolPlace } = useProjectView();
  const { compare, filter = null } = useSearch({ from: '/projects/$projectId/metrics' });
  const scope = useListScope('span');
  const isNarrow = useMediaQuery(NARROW);
  const navigate = useNavigate();
  const zone = useTimeZone();
  // oxlint-disable-next-line react/exhaustive-deps -- The clock is read again when everything is.
  const period = useMemo(() => periodOf(timeRange, Date.now()), [timeRange, refreshCount]);
  const compared = compare === 'before' ? period.before : null;
  const before = period.before && formatTimeRange({ kind: 'between', ...period.before.range }, zone);
  function toggleComparison(): void {
    if (period.before === null) return;
    const next = compared === null ? 'before' : undefined;
    void navigate({ to: '.', search: (search) => ({ ...search, compare: next }), replace: true });
  }
  useShortcuts('Metrics', [{ keys: 'c', label: 'Compare with the previous period', run: toggleComparison }]);
  const narrow = ({ startMs, endMs }: { startMs: number; endMs: number }) =>
    setRange({ kind: 'between', start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() });
  // What was shown stays until there are other figures.
  const shown = useDeferredValue(filter);
  const pick = (grain: 'traces' | 'spans', condition: string | null) => (range: { startMs: number; endMs: number }) =>
    void navigate({
      to: grain === 'traces' && condition === null ? '/projects/$projectId/traces' : '/projects/$projectId/spans',
      params: { projectId },
      search: {
        start: new Date(range.startMs).toISOString(),
        end: new Date(range.endMs).toISOString(),
        ...(condition !== null && { filter: condition }),
      },
    });
  const isFaulty =
    shown !== null && parseFilter('span', shown).diagnostics.some(({ severity }) => severity === 'error');
  const resetKey = `${projectId} ${JSON.stringify(timeRange)} ${shown} ${refreshCount}`;
  const frame = { shown, period, compared, onNarrow: narrow };
  return (
    <section className={styles.page} aria-label="Metrics">
      {toolPlace !== null &&
        createPortal(
          <Button
            variant={compared === null ? 'ghost' : 'secondary'}
            icon={History}
            isDisabled={before === null}
            aria-pressed={compared !== null}
            className={compared === null ? undefined : styles.comparing}
            tooltip={before === null ? '“All time” has no previous period' : `Compare with ${before}`}
            shortcut="c"
            onPress={toggleComparison}
          >
            Compare with previous period
          </Button>,
          toolPlace,
        )}
      <ProgressLine isActive={shown !== filter} label="Loading the charts" />
      <FilterBar
        projectId={projectId}
        grain="span"
        applied={filter}
        noun="spans"
        shown="The charts below"
        onApply={(next) => void navigate({ to: '.', search: (before) => ({ ...before, filter: next ?? undefined }) })}
        after={scope?.filter != null && <MatchCount scope={scope} noun="spans" isShort={isNarrow} />}
      />
      {isFaulty ? (
        <EmptyState icon={Filter} title="The filter has errors">
          The errors are listed below it.
        </EmptyState>
      ) : (
        <div className={styles.scroller}>
          <div className={styles.grid}>
            {CHARTS.map((chart) => (
              <Card key={chart.title} title={chart.title} resetKey={resetKey}>
                <SpanChart {...chart} {...frame} onPick={pick(chart.grain, joinFilters(shown, chart.filter ?? null))} />
              </Card>
            ))}
            <Card title="Models over time" resetKey={resetKey} isWide>
              <ModelsChart {...frame} onPick={pick('spans', joinFilters(shown, 'llm.model_name is not None'))} />
            </Card>
            <Card title="Models by cost" resetKey={resetKey}>
              <TopModels by="COST" title="Models by cost" format={formatUsd} compared={compared} shown={shown} />
            </Card>
            <Card title="Models by tokens" resetKey={resetKey}>
              <TopModels
                by="TOTAL_TOKENS"
                title="Models by tokens"
                format={formatTokens}
                compared={compared}
                shown={shown}
              />
            </Card>
          </div>
        </div>
      )}
    </section>
  );
}

/** The place of a chart, which fails by itself. */
function Card(props: {
  readonly title: string;
  readonly resetKey: string;
  /** Whether it takes all of the width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.card} data-wide={props.isWide}>
      <ErrorBoundary fallbackTitle={`${props.title} could not be loaded`} resetKey={props.resetKey}>
        <Suspense fallback={<Skeleton width="100%" height="198px" />}>{props.children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}
