/** As how many values a field counts, before it is read and after. What depends on its type is found out once. */
import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core';
import type { Allowance } from './allowance.ts';

/** A page is a question of its own, which waits and is answered, however short the page is. */
const PAGE_COST = 10;

/** Whether the field is asked for pages. */
export function isPaged<Types extends SchemaTypes>({ args }: PothosOutputFieldConfig<Types>): boolean {
  return 'first' in args;
}

/** As how many values the field counts without what it leads to, at least. */
export function costOf<Types extends SchemaTypes>(config: PothosOutputFieldConfig<Types>): number {
  // The row was counted with its page.
  if (config.name === 'node' && config.parentType.endsWith('Edge')) return 0;
  return config.pothosOptions.cost ?? (isPaged(config) ? PAGE_COST : 1);
}

/** Counts what the field gave, which it returns. */
export type ResultCounter = (allowance: Allowance, value: unknown) => unknown;

/** How the answers of the field are counted: the rows of a page and the elements of a list, one by one, and texts. */
export function resultCounter<Types extends SchemaTypes>({
  type,
  parentType,
}: PothosOutputFieldConfig<Types>): ResultCounter {
  if (type.kind === 'List') {
    if (isLeaf(type.type)) return countLeaves;
    // The rows of a page were counted with the page.
    return parentType.endsWith('Connection') ? countCountedObjects : countObjects;
  }
  return isLeaf(type) ? countLeaf : countObject;
}

function isLeaf({ kind }: { readonly kind: string }): boolean {
  return kind === 'Scalar' || kind === 'Enum';
}

const countLeaf: ResultCounter = (allowance, value) => (typeof value === 'string' ? allowance.takeText(value) : value);

const countLeaves: ResultCounter = (allowance, value) => {
  allowance.takeValues(lengthOf(value));
  return allowance.takeText(value);
};

const countObject: ResultCounter = (allowance, value) => {
  if (value == null) return value;
  allowance.takeObjects(1);
  const { edges } = value as { readonly edges?: unknown };
  if (edges !== undefined) allowance.takeValues(lengthOf(edges));
  return value;
};

const countObjects: ResultCounter = (allowance, value) => {
  const length = lengthOf(value);
  allowance.takeValues(length);
  allowance.takeObjects(length);
  return value;
};

const countCountedObjects: ResultCounter = (allowance, value) => {
  allowance.takeObjects(lengthOf(value));
  return value;
};

function lengthOf(value: unknown): number {
  const { length } = (value ?? {}) as { readonly length?: unknown };
  return typeof length === 'number' ? length : 0;
}
