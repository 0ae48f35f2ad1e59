/** What each type of token of a span cost, as filters go through it. */
import type { JsonValue } from '#base/json';
import { type CallTokens, type CostDetail, splitTokens, toCostDetails } from '#derive/cost/amounts';
import type { CostPart } from '#derive/cost/rates';
import type { FilterSubject } from '#filter/subject';
import type { NumberColumn } from '../columns/batch.ts';

/** The name of the collection. */
export const COST_DETAILS = 'cost_details';

/** Reads a number of a row, `null` where it is missing. */
export type ReadNumber = (column: NumberColumn) => number | null;

const PART_COLUMNS: Readonly<Record<CostPart, NumberColumn>> = {
  input: 'input_cost_nanousd',
  cacheRead: 'cache_read_cost_nanousd',
  cacheWrite: 'cache_write_cost_nanousd',
  promptAudio: 'prompt_audio_cost_nanousd',
  output: 'output_cost_nanousd',
  reasoning: 'reasoning_cost_nanousd',
  completionAudio: 'completion_audio_cost_nanousd',
};

const TOKEN_COLUMNS: Readonly<Record<keyof CallTokens, NumberColumn>> = {
  prompt: 'prompt_tokens',
  completion: 'completion_tokens',
  cacheRead: 'cache_read_tokens',
  cacheWrite: 'cache_write_tokens',
  promptAudio: 'prompt_audio_tokens',
  reasoning: 'reasoning_tokens',
  completionAudio: 'completion_audio_tokens',
};

/** The columns that tell them. */
export const COST_DETAIL_COLUMNS: readonly NumberColumn[] = [
  ...Object.values(PART_COLUMNS),
  ...Object.values(TOKEN_COLUMNS),
];

/** The columns of which one has a value where there are any. */
export const COST_PART_COLUMNS: readonly NumberColumn[] = Object.values(PART_COLUMNS);

/** Those of a row; none where it has no price. */
export function costDetailsOf(read: ReadNumber): readonly FilterSubject[] {
  if (COST_PART_COLUMNS.every((column) => read(column) === null)) return [];
  const tokens = splitTokens(mapColumns(TOKEN_COLUMNS, read));
  return toCostDetails(tokens, mapColumns(PART_COLUMNS, read)).map((detail) => new DetailSubject(detail));
}

function mapColumns<Key extends string>(
  columns: Readonly<Record<Key, NumberColumn>>,
  read: ReadNumber,
): Record<Key, number | null> {
  const entries = Object.entries<NumberColumn>(columns).map(([key, column]) => [key, read(column)]);
  return Object.fromEntries(entries) as Record<Key, number | null>;
}

class DetailSubject implements FilterSubject {
  readonly #fields: ReadonlyMap<string, JsonValue>;

  constructor({ tokenType, isPrompt, tokens, cost, costPerToken }: CostDetail) {
    this.#fields = new Map<string, JsonValue>([
      ['token_type', tokenType],
      ['is_prompt', isPrompt],
      ['tokens', tokens],
      ['cost', cost],
      ['cost_per_token', costPerToken],
    ]);
  }

  field(name: string): JsonValue | undefined {
    return this.#fields.get(name);
  }

  attribute(): undefined {
    return undefined;
  }

  isParentless(): boolean {
    return false;
  }

  isIn(): boolean {
    return false;
  }

  collection(): readonly [] {
    return [];
  }
}
