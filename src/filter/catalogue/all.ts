/** Looks up what a filter can name. */
import type { FilterGrain } from '../tree.ts';
import type { CatalogueField, GrainCatalogue } from './catalogue.ts';
import { SESSION_CATALOGUE } from './session.ts';
import { SPAN_CATALOGUE } from './span.ts';
import { TRACE_CATALOGUE } from './trace.ts';

/** By grain. */
export const CATALOGUES: Readonly<Record<FilterGrain, GrainCatalogue>> = {
  span: SPAN_CATALOGUE,
  trace: TRACE_CATALOGUE,
  session: SESSION_CATALOGUE,
};

/** The field that a name or alias stands for. */
export function findField(fields: readonly CatalogueField[], name: string): CatalogueField | undefined {
  return fields.find((field) => field.name === name || (field.aliases?.includes(name) ?? false));
}

/** All names and aliases. */
export function namesOf(fields: readonly CatalogueField[]): readonly string[] {
  return fields.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}
