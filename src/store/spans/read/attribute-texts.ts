/** Single attributes of spans as texts, for columns of tables. */
import type { AppError } from '#base/errors';
import { attributeAt } from '#domain/attributes';
import { toJsonText } from '#normalize/json-value';
import { selectNarrowRows } from '../../columns/narrow-rows.ts';
import { readRowBatch } from '../../columns/read-row-batch.ts';
import type { AttributeTexts, TextsOfSpan } from '../browse-port.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { inOrderOf, selectSpanRows, toSpanRow } from '../rows/span-query.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { GatheringRoom } from '../../threads/thread-room.ts';
import { MAX_ANSWER_BYTES } from '../rows/answer-bytes.ts';

/**
 * The texts by row id. Only where a row leaves something out is its original opened; the last of these are left out where they are too
 * long together. Index: the primary key.
 */
export async function readAttributeTexts(
  scope: ReadScope,
  rowIds: readonly number[],
  { paths, maxLength }: AttributeTexts,
): Promise<ReadonlyMap<number, TextsOfSpan>> {
  const ascending = rowIds.toSorted((a, b) => a - b);
  const batch = await readRowBatch(ascending.length, { attributes: paths }, (from, below) =>
    selectNarrowRows(scope.db, { columns: [], hasAttributes: true })
      .where('spans.id', 'in', scope.dialect.numbersOf(ascending.slice(from, below)))
      .execute(),
  );
  const { rowIds: foundIds } = batch;
  const narrow = new Map([...foundIds].map((id) => [id, paths.map((): string | null => null)]));
  const unsure = new Set<number>();
  for (const [place, path] of paths.entries()) {
    const { codes, values, uncertain } = batch.attribute(path);
    for (const [row, id] of foundIds.entries()) {
      const value = values[codes[row] ?? 0];
      const texts = narrow.get(id);
      if (texts !== undefined && value !== undefined && value !== null)
        texts[place] = cut(toJsonText(value), maxLength);
    }
    for (const row of uncertain) {
      const id = foundIds[row];
      if (id !== undefined && narrow.get(id)?.[place] === null) unsure.add(id);
    }
  }
  const found = new Map<number, TextsOfSpan>(narrow);
  if (unsure.size === 0) return found;
  const whole = await selectSpanRows(scope.db)
    .where('spans.id', 'in', scope.dialect.numbersOf([...unsure]))
    .execute();
  const inOrder = inOrderOf(
    rowIds.filter((rowId) => unsure.has(rowId)),
    whole.map(toSpanRow),
  );
  const left = new Set(inOrder.map(({ rowId }) => rowId));
  let isWhole = true;
  using room = new GatheringRoom(MAX_ANSWER_BYTES);
  const onDamaged = (rowId: number, { message }: AppError) => {
    left.delete(rowId);
    found.set(rowId, { damage: message });
  };
  const endsBefore = () => {
    isWhole = left.size === inOrder.length;
    return !isWhole;
  };
  for await (const { row, span } of readStoredSpans(scope, inOrder, { onDamaged, endsBefore })) {
    const texts = paths.map((path) => {
      const value = attributeAt(span.reading, path);
      return value === undefined || value === null ? null : cut(toJsonText(value), maxLength);
    });
    isWhole = await room.add(texts.reduce((sum, text) => sum + (text?.length ?? 0), 0));
    if (!isWhole) break;
    left.delete(row.rowId);
    found.set(row.rowId, texts);
  }
  if (!isWhole) for (const rowId of left) found.set(rowId, { isLeftOut: true });
  return found;
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
