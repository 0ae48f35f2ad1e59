/** The rows that a span has in a data frame. */
import { isJsonObject, type JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import type { Subtree } from '#store/spans/browse-port';
import type { FrameField, FrameMember, FrameQuery } from '#store/spans/frame';
import type { StoredSpan } from '#store/spans/presenter';
import { groupByConvention } from './conventions.ts';
import { type Cell, cellText, flattenObject, readSource, unaliased } from './source.ts';

/** A value with the label of its column. */
export type LabelledCell = readonly [label: string, value: Cell];

/** A row: the levels of its index, and its columns. */
export interface FrameRow {
  readonly index: readonly LabelledCell[];
  readonly cells: readonly LabelledCell[];
}

/** What is known of every span, in this order. */
const WHOLE_SPAN: readonly FrameField[] = [
  'name',
  'span_kind',
  'parent_id',
  'start_time',
  'end_time',
  'status_code',
  'status_message',
  'events',
  'context.span_id',
  'context.trace_id',
];

/** The labels that the columns of every row have, whatever the spans are. */
export function namedLabels({ select, explode, concat }: FrameQuery): readonly string[] {
  if (select === null) return WHOLE_SPAN;
  return [
    ...select.map(({ label }) => label),
    ...(concat === null ? [] : concat.members.length === 0 ? [concat.label] : concat.members.map(labelOf)),
    ...(explode === null ? [] : explode.members.map(labelOf)),
  ];
}

/** The label that a column ends up with. */
export function finalLabel({ rename }: FrameQuery, label: string): string {
  const long = unaliased(label);
  return rename.get(long) ?? long;
}

/** None where the span lacks the list that the query takes apart. */
export function frameRows(
  query: FrameQuery,
  stored: Pick<StoredSpan, 'row' | 'span'>,
  subtree: Subtree | undefined,
): readonly FrameRow[] {
  const index: LabelledCell = [query.index.label, readSource(query.index.source, stored, subtree)];
  const joined = concatenated(query, stored, subtree);
  if (joined === undefined) return [];
  const cells = [...selected(query, stored, subtree), ...joined];
  const { explode } = query;
  if (explode === null) return [{ index: [index], cells }];
  return listAt(readSource(explode.source, stored, subtree)).flatMap((element, position) =>
    isJsonObject(element)
      ? [
          {
            index: [index, [explode.position, position] as const],
            cells: [...cells, ...explodedCells(explode, element)],
          },
        ]
      : [],
  );
}

function selected(
  { select }: FrameQuery,
  stored: Pick<StoredSpan, 'row' | 'span'>,
  subtree: Subtree | undefined,
): readonly LabelledCell[] {
  if (select !== null) return select.map(({ label, source }) => [label, readSource(source, stored, subtree)]);
  const fields = WHOLE_SPAN.map(
    (field): LabelledCell => [field, readSource({ kind: 'field', field }, stored, subtree)],
  );
  const attributes = Object.entries(groupByConvention(stored.span.attributes));
  return [...fields, ...attributes.map(([key, value]): LabelledCell => [`attributes.${key}`, value])];
}

function concatenated(
  { concat }: FrameQuery,
  stored: Pick<StoredSpan, 'row' | 'span'>,
  subtree: Subtree | undefined,
): readonly LabelledCell[] | undefined {
  if (concat === null) return [];
  const list = readSource(concat.source, stored, subtree);
  if (!Array.isArray(list)) return undefined;
  const { members, label, separator } = concat;
  if (members.length === 0) return [[label, list.map(cellText).join(separator)]];
  return members.map(({ label: ofMember, path }): LabelledCell => {
    const texts = list.flatMap((element) => {
      const value = isJsonObject(element) ? attributeAt(element, path) : undefined;
      return value === undefined || value === null ? [] : [cellText(value)];
    });
    return [ofMember, texts.length === 0 ? null : texts.join(separator)];
  });
}

function explodedCells(
  { members }: NonNullable<FrameQuery['explode']>,
  element: JsonValue & object,
): readonly LabelledCell[] {
  if (members.length === 0) return flattenObject(element);
  return members.map(({ label, path }) => [label, (isJsonObject(element) ? attributeAt(element, path) : null) ?? null]);
}

function listAt(cell: Cell): readonly JsonValue[] {
  return Array.isArray(cell) ? cell : [];
}

function labelOf({ label }: FrameMember): string {
  return label;
}
