/** Prices as the pages show them, and which of them answer to a search. */
import type { LastUses } from './last-uses.ts';
import type { AnsweredPrice } from './price-form.ts';
import type { ActedPrice } from './model-tools.ts';

/** A row of the table. */
export interface ModelRow extends ActedPrice {
  readonly updatedAt: string;
}

/** Which prices are listed. */
export type KindFilter = 'all' | 'used' | 'CUSTOM' | 'BUILT_IN';

type Answered = {
  readonly [Key in keyof Omit<AnsweredPrice, 'provider' | 'startTime'>]: AnsweredPrice[Key];
} & {
  readonly id: string;
  readonly kind: string;
  readonly provider: string | null | undefined;
  readonly startTime: string | null | undefined;
  readonly updatedAt: string;
};

/** A price as the API answers it, as a row. */
export function toModelRow({ provider, startTime, ...price }: Answered): ModelRow {
  return { ...price, provider: provider ?? null, startTime: startTime ?? null };
}

/**
 * Those of a kind that have every word of a text in their name, provider or pattern.
 * @param lastUses of those that were ever used; undefined while that is not known
 */
export function searchModels(
  rows: readonly ModelRow[],
  text: string,
  kind: KindFilter,
  lastUses?: LastUses,
): readonly ModelRow[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (kind === 'used' ? lastUses?.has(row.id) !== true : kind !== 'all' && row.kind !== kind) return false;
    const said = `${row.name}\n${row.provider ?? ''}\n${row.namePattern}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
