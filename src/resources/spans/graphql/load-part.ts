import type { GraphqlContext } from '#api/graphql/context';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { SpanPart, SpanParts } from '#store/spans/browse-port';
import type { SpanLoaders } from '../loaders.ts';

/** Of fields that need the original of a span. Opening a block costs more than a row does. */
export const OPENS_ORIGINAL = { cost: 10, isLarge: true } as const;

/** A part of a whole span, which is there where its span is. */
export async function loadPart<Part extends SpanPart>(
  load: SpanLoaders,
  context: GraphqlContext,
  rowId: number,
  part: Part,
): Promise<NonNullable<SpanParts[Part]>> {
  const loader = (_context: GraphqlContext, key: number) => load.spanPart(_context, { rowId: key, part });
  return (await loadOrThrow(loader, context, rowId))[part] as NonNullable<SpanParts[Part]>;
}
