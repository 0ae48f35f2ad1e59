/** Rows for tests, made of plain objects. */
import type { JsonValue } from '#base/json';
import { jsonObject } from '#base/json';
import { attributeAtPath } from './attribute-path.ts';
import type { FilterAnnotation, FilterSubject } from './subject.ts';
import type { SetReference } from './tree.ts';

/** A row as a test writes it. */
export interface PlainRow {
  readonly fields?: Readonly<Record<string, JsonValue>>;
  /** Of the parent; without them it has none. */
  readonly parent?: Readonly<Record<string, JsonValue>>;
  /** Nested. */
  readonly attributes?: Readonly<Record<string, JsonValue>>;
  /** By target and name, as `span quality`. */
  readonly annotations?: Readonly<Record<string, readonly Partial<FilterAnnotation>[]>>;
  readonly collections?: Readonly<Record<string, readonly PlainRow[]>>;
  /** Of the sets that a test knows. */
  readonly isIn?: (set: SetReference) => boolean;
}

/** The row as filters see it. */
export function plainSubject(row: PlainRow): FilterSubject {
  return {
    field: (name, isOfParent) => (isOfParent ? row.parent : row.fields)?.[name],
    attribute: (path) => attributeAtPath(Object.assign(jsonObject(), row.attributes), path),
    isParentless: () => row.parent === undefined,
    isIn: (set) => row.isIn?.(set) ?? false,
    annotations: ({ target, name }) =>
      (row.annotations?.[`${target} ${name}`] ?? []).map((annotation) => ({ ...NOTHING, ...annotation })),
    collection: (name) => (row.collections?.[name] ?? []).map(plainSubject),
  };
}

const NOTHING: FilterAnnotation = {
  score: null,
  label: null,
  explanation: null,
  identifier: '',
  annotator_kind: 'HUMAN',
};
