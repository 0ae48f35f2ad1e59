/** The spans of a trace that cannot be read whole. */
import type { Builder } from '#api/graphql/builder';
import { formatGlobalId } from '#base/global-id';
import type { ForCaller } from '#domain/caller';
import type { DamagedSpan, DamagedSpans, TelemetryBrowser } from '#store/spans/browse-port';
import { tracePolicy } from '../policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    DamagedSpan: DamagedSpan;
    DamagedSpans: DamagedSpans;
  }
}

/** Adds the field, for which the original of each span is opened. */
export function addDamagedSpans(builder: Builder, spans: ForCaller<TelemetryBrowser>): void {
  builder.objectType('DamagedSpan', {
    access: tracePolicy.read,
    fields: (t) => ({
      spanNodeId: t.id({
        nullable: true,
        description: 'The global ID of the span; null if its row cannot be read either.',
        resolve: ({ rowId }) => (rowId === null ? null : formatGlobalId('Span', rowId)),
      }),
      spanId: t.exposeID('spanId'),
      name: t.exposeString('name'),
      damage: t.exposeString('damage', { description: 'What is damaged, and how many bytes of it.' }),
    }),
  });
  builder.objectType('DamagedSpans', {
    access: tracePolicy.read,
    fields: (t) => ({
      spans: t.field({ type: ['DamagedSpan'], resolve: (found) => [...found.spans] }),
      searchedCount: t.exposeInt('searchedCount', { description: 'Spans that were looked at.' }),
      isWhole: t.exposeBoolean('isWhole', { description: 'Whether these are all damaged spans of the trace.' }),
    }),
  });
  builder.objectField('Trace', 'damagedSpans', (t) =>
    t.field({
      type: 'DamagedSpans',
      cost: DAMAGED_SPANS_COST,
      description:
        'Spans whose original cannot be read, with the earliest start first and at most 100; each span is opened for it. A trace that takes longer than a second is searched in part.',
      resolve: ({ rowId }, _args, { caller }) => spans(caller).findDamagedSpans(rowId),
    }),
  );
}

/** As digests, which open as many originals. */
const DAMAGED_SPANS_COST = 2000;
