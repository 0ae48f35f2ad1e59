/** Spans by what they have in common, as rows of a table. */
import { AppError } from '#base/errors';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { aggregate } from './aggregate.ts';
import { GROUP_FIGURES, type GroupAnswer, type GroupFigure, type GroupQuestion, type Measure } from './port.ts';

/** What each figure is computed as. */
const MEASURES: Readonly<Record<GroupFigure, Measure>> = {
  count: { kind: 'count', status: null },
  error_rate: { kind: 'error_rate' },
  latency_p50: { kind: 'latency', probability: 0.5 },
  latency_p95: { kind: 'latency', probability: 0.95 },
  tokens: { kind: 'tokens', of: 'total' },
  cost: { kind: 'cost', of: 'total' },
  first_start: { kind: 'first_start' },
  last_start: { kind: 'last_start' },
};

/** Groups of spans that started in the range and match. */
export async function groupSpans(
  scope: ReadScope,
  { dimension, order, ...question }: GroupQuestion,
  budgetMs: number,
): Promise<GroupAnswer> {
  if (dimension.kind === 'session') throw new AppError('invalid_argument', 'Only traces are grouped by session.');
  const asked = {
    ...question,
    bucket: null,
    groupBy: [dimension],
    groupOrder: { by: MEASURES[order.by], direction: order.direction },
    measures: GROUP_FIGURES.map((figure) => MEASURES[figure]),
  };
  const { groups, otherGroupCount, isPartial, share } = await aggregate(scope, asked, budgetMs);
  return {
    groups: groups.flatMap(({ key, values }) => {
      const figures = GROUP_FIGURES.map((figure, place) => [figure, values[place]?.[0] ?? Number.NaN] as const);
      const group = { key: key?.[0] ?? null, ...(Object.fromEntries(figures) as Record<GroupFigure, number>) };
      // Without any span there is a rest of none.
      return group.count > 0 ? [group] : [];
    }),
    otherGroupCount,
    isPartial,
    share,
  };
}
