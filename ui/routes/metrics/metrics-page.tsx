import { Filter, History } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { parseFilter } from '#filter/parse-filter';
import { Button } from '#ui/components/button.tsx';
import type { Stretch } from '#ui/components/chart/chart-data.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { formatTokens, formatUsd } from '#ui/lib/format.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { FilterBar } from '../project/filter/filter-bar.tsx';
import { ChartFigures } from '../project/figures/chart-figures.tsx';
import { MatchCount } from '../project/filter/match-count.tsx';
import { useListScope } from '../project/list-scope.ts';
import { useProjectView } from '../project/project-view.ts';
import { periodOf } from './bucket-scale.ts';
import { Card } from './chart-card.tsx';
import { CHARTS } from './chart-specs.ts';
import type { RowsAddress } from './drill.ts';
import { TopModels } from './top-models.tsx';
import styles from './metrics-page.module.css';

const SpanChart = lazy(async () => ({ default: (await import('./span-chart.tsx')).SpanChart }));
const AnnotationCharts = lazy(async () => ({ default: (await import('./annotation-charts.tsx')).AnnotationCharts }));
const FirstTrace = lazy(async () => ({ default: (await import('../onboarding/first-trace.tsx')).FirstTrace }));
const ModelsChart = lazy(async () => ({ default: (await import('./models-chart.tsx')).ModelsChart }));

/**
 * The metrics of a project over time, optionally filtered and compared with the previous period. Dragging narrows the time
 * range; a bucket leads to the rows behind it.
 */
function Metrics() {
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
  const narrow = ({ startMs, endMs }: Stretch) =>
    setRange({ kind: 'between', start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() });
  // What was shown stays until there are other figures.
  const shown = useDeferredValue(filter);
  const openRows = ({ startMs, endMs }: Stretch, { table, filter: condition }: RowsAddress) =>
    void navigate({
      to: `/projects/$projectId/${table}`,
      params: { projectId },
      search: {
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
        ...(condition !== null && { filter: condition }),
      },
    });
  const isFaulty =
    shown !== null && parseFilter('span', shown).diagnostics.some(({ severity }) => severity === 'error');
  const resetKey = `${projectId} ${JSON.stringify(timeRange)} ${shown} ${refreshCount}`;
  const frame = { shown, period, compared, onNarrow: narrow, onRows: openRows };
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
        <>
          {scope !== undefined && <ChartFigures scope={scope} />}
          <div className={styles.scroller}>
            <div className={styles.grid}>
              {CHARTS.map((chart) => (
                <Card key={chart.title} title={chart.title} resetKey={resetKey}>
                  <SpanChart {...chart} {...frame} />
                </Card>
              ))}
              <Card title="Models over time" resetKey={resetKey} isWide>
                <ModelsChart {...frame} />
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
              <Suspense>
                <AnnotationCharts {...frame} resetKey={resetKey} />
              </Suspense>
            </div>
          </div>
        </>
      )}
    </section>
  );
}

/** The metrics of a project over time, or how to send the first trace. */
export function MetricsPage() {
  if (!useProjectView().isNew) return <Metrics />;
  return (
    <Suspense>
      <FirstTrace />
    </Suspense>
  );
}
