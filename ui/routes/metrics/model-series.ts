/** Groups of models, as the server gives them, as series of a chart. */
import { quoteText } from '#filter/lex-text';

/** What one model comes to in each bucket. */
export interface ModelSeries {
  /** Null: of all models that have no series of their own. */
  readonly name: string | null;
  readonly values: readonly number[];
}

/** The models that come to most, each by itself, and the rest as one where there is any. */
export function rankModels(groups: readonly ModelSeries[], most: number): readonly ModelSeries[] {
  const ranked = groups
    .filter(({ name, values }) => name !== null && sum(values) > 0)
    .toSorted((one, other) => sum(other.values) - sum(one.values));
  const rest = [...ranked.slice(most), ...groups.filter(({ name }) => name === null)];
  const values = addUp(rest);
  return sum(values) > 0 ? [...ranked.slice(0, most), { name: null, values }] : ranked.slice(0, most);
}

/** The values of a series of `ranked` among other groups: those of all that have no series of their own, where it is the rest. */
export function valuesOfModel(
  groups: readonly ModelSeries[],
  ranked: readonly ModelSeries[],
  name: string | null,
): readonly number[] {
  if (name !== null) return groups.find((group) => group.name === name)?.values ?? [];
  const own = new Set(ranked.map((series) => series.name));
  return addUp(groups.filter((group) => group.name === null || !own.has(group.name)));
}

/** The filter for spans of one of the series; for the rest, of every model that has no series of its own. */
export function modelCondition(ranked: readonly ModelSeries[], place: number): string {
  const name = ranked[place]?.name;
  if (typeof name === 'string') return `llm.model_name == ${quoteText(name)}`;
  const own = ranked.flatMap((series) => (series.name === null ? [] : [quoteText(series.name)]));
  return `llm.model_name not in [${own.join(', ')}]`;
}

function addUp(groups: readonly ModelSeries[]): readonly number[] {
  const length = Math.max(0, ...groups.map(({ values }) => values.length));
  return Array.from({ length }, (_, place) => sum(groups.map(({ values }) => values[place] ?? 0)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
