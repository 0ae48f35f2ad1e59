/** What resolvers of spans wait for, read for all spans of an answer at once. */
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type {
  SpanIdentity,
  SpanPart,
  SpanParts,
  SpanSource,
  SpanTableRow,
  Subtree,
  TelemetryBrowser,
  TokenCounting,
} from '#store/spans/browse-port';

/** Values are `undefined` where the span is not there. */
export interface SpanLoaders {
  readonly span: RowLoader<SpanTableRow>;
  readonly spanByIdentity: Loader<SpanIdentity, SpanTableRow | undefined>;
  /** The part is there where the span is. */
  readonly spanPart: Loader<{ readonly rowId: number; readonly part: SpanPart }, SpanParts | undefined>;
  readonly spanSource: RowLoader<SpanSource>;
  /** Spans whose links name it. */
  readonly linkingSpans: RowLoader<readonly SpanTableRow[]>;
  readonly subtree: RowLoader<Subtree>;
  /** `undefined` where the span claims nothing. */
  readonly tokenCounting: RowLoader<TokenCounting>;
}

/** The loaders on a store. */
export function createSpanLoaders(spans: TelemetryBrowser): SpanLoaders {
  return {
    span: defineRowLoader((rowIds) => spans.findSpans(rowIds)),
    spanByIdentity: defineLoader(
      (identities) => spans.findSpansByIdentity(identities),
      ({ traceId, spanId }) => `${traceId} ${spanId}`,
    ),
    spanPart: defineLoader(
      async (keys) => {
        const bySpan = Map.groupBy(keys, ({ rowId }) => rowId);
        const wanted = [...bySpan].map(([rowId, ofSpan]) => ({ rowId, parts: ofSpan.map(({ part }) => part) }));
        const parts = await spans.readSpanParts(wanted);
        return keys.map(({ rowId }) => parts.get(rowId));
      },
      ({ rowId, part }) => `${rowId} ${part}`,
    ),
    spanSource: defineRowLoader((rowIds) => spans.readSpanSources(rowIds)),
    linkingSpans: defineRowLoader((rowIds) => spans.findLinkingSpans(rowIds)),
    subtree: defineRowLoader((rowIds) => spans.readSubtrees(rowIds)),
    tokenCounting: defineRowLoader((rowIds) => spans.readTokenCountings(rowIds)),
  };
}
