/** Single attributes of spans as texts, for columns of tables. */
import type { AppError } from '#base/errors';
import { attributeAt } from '#domain/attributes';
import { toJsonText } from '#normalize/json-value';
import { selectNarrowRows } from '../../columns/narrow-rows.ts';
import { RowBatch } from '../../columns/row-batch.ts';
import type { AttributeTexts, TextsOfSpan } from '../browse-port.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { selectSpanRows, toSpanRow } from '../rows/span-query.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { assertFitting } from './span-parts.ts';

/**
 * The texts by row id. Only where a row leaves something out is its original opened. Index: the primary key.
 * @throws AppError `resource_exhausted` where they are too long together
 */
export async function readAttributeTexts(
  scope: ReadScope,
  rowIds: readonly number[],
  { paths, maxLength }: AttributeTexts,
): Promise<ReadonlyMap<number, TextsOfSpan>> {
  const rows = await selectNarrowRows(scope.db, { columns: [], hasAttributes: true })
    .where('spans.id', 'in', scope.dialect.numbersOf(rowIds))
    .execute();
  const narrow = new Map(rows.map(({ id }) => [id, paths.map((): string | null => null)]));
  const batch = new RowBatch(rows);
  const unsure = new Set<number>();
  for (const [place, path] of paths.entries()) {
    const { codes, values, uncertain } = batch.attribute(path);
    for (const [row, { id }] of rows.entries()) {
      const value = values[codes[row] ?? 0];
      const texts = narrow.get(id);
      if (texts !== undefined && value !== undefined && value !== null)
        texts[place] = cut(toJsonText(value), maxLength);
    }
    for (const row of uncertain) {
      const id = rows[row]?.id;
      if (id !== undefined && narrow.get(id)?.[place] === null) unsure.add(id);
    }
  }
  const found = new Map<number, TextsOfSpan>(narrow);
  if (unsure.size === 0) return found;
  const whole = await selectSpanRows(scope.db)
    .where('spans.id', 'in', scope.dialect.numbersOf([...unsure]))
    .orderBy('spans.id')
    .execute();
  let characters = 0;
  const onDamaged = (rowId: number, { message }: AppError) => void found.set(rowId, { damage: message });
  for await (const { row, span } of readStoredSpans(scope, whole.map(toSpanRow), { onDamaged })) {
    const texts = paths.map((path) => {
      const value = attributeAt(span.reading, path);
      return value === undefined || value === null ? null : cut(toJsonText(value), maxLength);
    });
    for (const text of texts) characters += text?.length ?? 0;
    assertFitting(characters);
    found.set(row.rowId, texts);
  }
  return found;
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
