/** What resolvers of spans wait for, read for all spans of an answer at once. */
import { LeftOutError } from '#api/graphql/left-out';
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import { AppError } from '#base/errors';
import type { ForCaller } from '#domain/caller';
import type {
  AttributeTexts,
  SpanIdentity,
  SpanPart,
  SpanParts,
  SpanSource,
  SpanTableRow,
  Subtree,
  TelemetryBrowser,
  TextsOfSpan,
  TokenCounting,
} from '#store/spans/browse-port';

/** Values are `undefined` where the span is not there. */
export interface SpanLoaders {
  readonly span: RowLoader<SpanTableRow>;
  readonly spanByIdentity: Loader<SpanIdentity, SpanTableRow | undefined>;
  /** The part is there where the span is. */
  readonly spanPart: Loader<{ readonly rowId: number; readonly part: SpanPart }, SpanParts | undefined>;
  /** `undefined` where the span is not there. */
  readonly attributeTexts: Loader<AttributeTexts & { readonly rowId: number }, readonly (string | null)[] | undefined>;
  readonly spanSource: RowLoader<SpanSource>;
  /** Spans whose links name it. */
  readonly linkingSpans: RowLoader<readonly SpanTableRow[]>;
  readonly subtree: RowLoader<Subtree>;
  /** `undefined` where the span claims nothing. */
  readonly tokenCounting: RowLoader<TokenCounting>;
}

/** The loaders on a store. */
export function createSpanLoaders(spans: ForCaller<TelemetryBrowser>): SpanLoaders {
  return {
    span: defineRowLoader((caller, rowIds) => spans(caller).findSpans(rowIds)),
    spanByIdentity: defineLoader(
      (caller, identities) => spans(caller).findSpansByIdentity(identities),
      ({ traceId, spanId }) => `${traceId} ${spanId}`,
    ),
    spanPart: defineLoader<{ readonly rowId: number; readonly part: SpanPart }, SpanParts | undefined>(
      async (caller, keys) => {
        const bySpan = Map.groupBy(keys, ({ rowId }) => rowId);
        const wanted = [...bySpan].map(([rowId, ofSpan]) => ({ rowId, parts: ofSpan.map(({ part }) => part) }));
        const parts = await spans(caller).readSpanParts(wanted);
        return keys.map(({ rowId }) => orError(parts.get(rowId)));
      },
      ({ rowId, part }) => `${rowId} ${part}`,
    ),
    attributeTexts: defineLoader<AttributeTexts & { readonly rowId: number }, readonly (string | null)[] | undefined>(
      async (caller, keys) => {
        const read = new Map<string, Promise<ReadonlyMap<number, TextsOfSpan>>>();
        for (const [question, ofQuestion] of Map.groupBy(keys, toQuestion)) {
          const [{ paths, maxLength } = { paths: [], maxLength: 0 }] = ofQuestion;
          const rowIds = ofQuestion.map(({ rowId }) => rowId);
          read.set(question, spans(caller).readAttributeTexts(rowIds, { paths, maxLength }));
        }
        return Promise.all(keys.map(async (key) => orError((await read.get(toQuestion(key)))?.get(key.rowId))));
      },
      (key) => `${key.rowId} ${toQuestion(key)}`,
    ),
    spanSource: defineRowLoader((caller, rowIds) => spans(caller).readSpanSources(rowIds)),
    linkingSpans: defineRowLoader((caller, rowIds) => spans(caller).findLinkingSpans(rowIds)),
    subtree: defineRowLoader((caller, rowIds) => spans(caller).readSubtrees(rowIds)),
    tokenCounting: defineRowLoader((caller, rowIds) => spans(caller).readTokenCountings(rowIds)),
  };
}

/** An error for a span whose original is damaged or too large beside the others: it concerns that span alone. */
function orError<Value extends object>(
  found: Value | { readonly damage: string } | { readonly isLeftOut: true } | undefined,
): Value | undefined | AppError {
  if (found === undefined) return undefined;
  if ('damage' in found) return new AppError('data_damaged', found.damage);
  return 'isLeftOut' in found ? new LeftOutError() : found;
}

function toQuestion({ paths, maxLength }: AttributeTexts): string {
  return JSON.stringify([maxLength, ...paths]);
}
