/** What kinds of exceptions the failed spans of a trace report. */
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { tryParseJson, isJsonObject } from '#base/json';
import type { ForCaller } from '#domain/caller';
import { ATTR_EXCEPTION_TYPE } from '#semconv/otel';
import type { SpanReport, TelemetryBrowser } from '#store/spans/browse-port';
import { readFilter } from '../../filters/operations.ts';
import type { TypeServices } from '../../slice.ts';
import { tracePolicy } from '../policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SpanErrorTypeCount: readonly [type: string | null, count: number];
  }
}

type Load = Pick<TypeServices['load'], 'spanPart'>;

/** Opening the originals of the failed spans. */
const ERRORS_COST = 50;

/** More failed spans of one trace are not looked at. */
const MAX_FAILED = 1000;

/** Adds the field and its type. */
export function addErrorsByType(builder: Builder, spans: ForCaller<TelemetryBrowser>, load: Load): void {
  builder.objectType('SpanErrorTypeCount', {
    access: tracePolicy.read,
    fields: (t) => ({
      exceptionType: t.string({
        nullable: true,
        description: 'Null for failed spans that report no exception.',
        resolve: ([type]) => type,
      }),
      count: t.int({ resolve: ([, count]) => count }),
    }),
  });
  builder.objectField('Trace', 'errorsByType', (t) =>
    t.field({
      type: ['SpanErrorTypeCount'],
      cost: ERRORS_COST,
      description: `Failed spans by the type of their last exception, most first; of the first ${MAX_FAILED} failed spans.`,
      resolve: async ({ rowId, errorCount }, _args, context) => {
        if (errorCount === 0) return [];
        const types = await readTypes(spans, load, context, rowId);
        const counts = Map.groupBy(types, (type) => type);
        return [...counts].map(([type, alike]) => [type, alike.length] as const).toSorted((a, b) => b[1] - a[1]);
      },
    }),
  );
}

async function readTypes(
  spans: ForCaller<TelemetryBrowser>,
  load: Load,
  context: GraphqlContext,
  traceRowId: number,
): Promise<readonly (string | null)[]> {
  const scope = { traceRowId, condition: readFilter('span', "status_code == 'ERROR'") };
  const page = { sort: 'id', order: 'asc', limit: MAX_FAILED, after: null } as const;
  const { rows } = await spans(context.caller).browseSpans(scope, page);
  const parts = await Promise.all(rows.map(({ rowId }) => load.spanPart(context, { rowId, part: 'report' })));
  return parts.map((part) => (part?.report === undefined ? null : typeOf(part.report)));
}

function typeOf({ events }: SpanReport): string | null {
  for (const { attributes } of events.toReversed()) {
    const known = tryParseJson(attributes);
    const type = isJsonObject(known) ? known[ATTR_EXCEPTION_TYPE] : undefined;
    if (typeof type === 'string') return type;
  }
  return null;
}
