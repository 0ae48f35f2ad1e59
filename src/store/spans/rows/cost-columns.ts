/** The columns of a span's costs and of the tokens that are priced. */
import { type CallCost, type CallTokens, type CostDetail, splitTokens, toCostDetails } from '#derive/cost/amounts';
import type { CostPart } from '#derive/cost/rates';
import { NO_USAGE, toUsage, type Usage } from '#derive/usage';

/** Tokens that are priced, as a row has them. */
export interface TokenColumns {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly prompt_audio_tokens: number | null;
  readonly completion_audio_tokens: number | null;
}

/** {@link TokenColumns}. */
export const TOKEN_COLUMNS = [
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'prompt_audio_tokens',
  'completion_audio_tokens',
] as const satisfies readonly (keyof TokenColumns)[];

/** The column of each part's cost. */
export const PART_COST_COLUMNS = {
  input: 'input_cost_nanousd',
  cacheRead: 'cache_read_cost_nanousd',
  cacheWrite: 'cache_write_cost_nanousd',
  promptAudio: 'prompt_audio_cost_nanousd',
  output: 'output_cost_nanousd',
  reasoning: 'reasoning_cost_nanousd',
  completionAudio: 'completion_audio_cost_nanousd',
} as const satisfies Record<CostPart, string>;

/** What the price table comes to, part by part, as a row has it. */
export type PartCostColumns = Readonly<Record<(typeof PART_COST_COLUMNS)[CostPart], number | null>>;

/** The columns of {@link PartCostColumns}. */
export const PART_COST_NAMES = Object.values(PART_COST_COLUMNS);

/** The columns of a call's computed cost. */
export function toPartCostValues(cost: CallCost | null): PartCostColumns {
  return cost === null ? NOT_PRICED : toValues(cost.parts);
}

function toValues({
  input,
  cacheRead,
  cacheWrite,
  promptAudio,
  output,
  reasoning,
  completionAudio,
}: CallCost['parts']) {
  return {
    input_cost_nanousd: input,
    cache_read_cost_nanousd: cacheRead,
    cache_write_cost_nanousd: cacheWrite,
    prompt_audio_cost_nanousd: promptAudio,
    output_cost_nanousd: output,
    reasoning_cost_nanousd: reasoning,
    completion_audio_cost_nanousd: completionAudio,
  };
}

const NOT_PRICED: PartCostColumns = {
  input_cost_nanousd: null,
  cache_read_cost_nanousd: null,
  cache_write_cost_nanousd: null,
  prompt_audio_cost_nanousd: null,
  output_cost_nanousd: null,
  reasoning_cost_nanousd: null,
  completion_audio_cost_nanousd: null,
};

/** The columns of what a call cost: as reported, else as computed. */
export const CLAIM_COLUMNS = [
  'claimed_cost_nanousd',
  'claimed_prompt_cost_nanousd',
  'claimed_completion_cost_nanousd',
] as const;

/** {@link CLAIM_COLUMNS}. */
export type ClaimedColumns = Readonly<Record<(typeof CLAIM_COLUMNS)[number], number | null>>;

/** What a row claims. */
export type ClaimColumns = ClaimedColumns & Pick<TokenColumns, 'prompt_tokens' | 'completion_tokens'>;

/** The columns of what a span counts in sums. */
export const COUNTED_COLUMNS = [
  'counted_prompt_tokens',
  'counted_completion_tokens',
  'counted_cost_nanousd',
  'counted_prompt_cost_nanousd',
  'counted_completion_cost_nanousd',
] as const;

/** {@link COUNTED_COLUMNS}. */
export type CountedColumns = Readonly<Record<(typeof COUNTED_COLUMNS)[number], number>>;

/** The columns of a span that counts in no sum. */
export const COUNTS_NOTHING = toCountedValues(NO_USAGE);

/** The columns of what a span counts. */
export function toCountedValues(counted: Usage): CountedColumns {
  return {
    counted_prompt_tokens: counted.promptTokens,
    counted_completion_tokens: counted.completionTokens,
    counted_cost_nanousd: counted.costNanoUsd,
    counted_prompt_cost_nanousd: counted.promptCostNanoUsd,
    counted_completion_cost_nanousd: counted.completionCostNanoUsd,
  };
}

/** What the span of a row counts. */
export function countedOf(row: CountedColumns): Usage {
  return {
    promptTokens: row.counted_prompt_tokens,
    completionTokens: row.counted_completion_tokens,
    costNanoUsd: row.counted_cost_nanousd,
    promptCostNanoUsd: row.counted_prompt_cost_nanousd,
    completionCostNanoUsd: row.counted_completion_cost_nanousd,
  };
}

/** The sums of a trace or session, as their rows have them. */
export function toSumValues(usage: Usage) {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cost_nanousd: usage.costNanoUsd,
    prompt_cost_nanousd: usage.promptCostNanoUsd,
    completion_cost_nanousd: usage.completionCostNanoUsd,
  };
}

/** The claim of a row. */
export function toClaim(row: ClaimColumns): Usage {
  const { claimed_cost_nanousd: total } = row;
  const cost =
    total === null
      ? null
      : {
          total,
          prompt: row.claimed_prompt_cost_nanousd,
          completion: row.claimed_completion_cost_nanousd,
        };
  return toUsage({ prompt: row.prompt_tokens, completion: row.completion_tokens }, cost);
}

/** The tokens of a row. */
export function toCallTokens(row: TokenColumns): CallTokens {
  return {
    prompt: row.prompt_tokens,
    completion: row.completion_tokens,
    cacheRead: row.cache_read_tokens,
    cacheWrite: row.cache_write_tokens,
    promptAudio: row.prompt_audio_tokens,
    reasoning: row.reasoning_tokens,
    completionAudio: row.completion_audio_tokens,
  };
}

/** What the row was computed to cost, in US dollars; `null` where it has no price. */
export function computedCostUsd(row: PartCostColumns): number | null {
  if (row.input_cost_nanousd === null) return null;
  return PART_COST_NAMES.reduce((sum, column) => sum + (row[column] ?? 0), 0) / 1e9;
}

/** The account of a row; empty where it has no price. */
export function costDetailsOf(row: TokenColumns & PartCostColumns): CostDetail[] {
  if (row.input_cost_nanousd === null) return [];
  return toCostDetails(splitTokens(toCallTokens(row)), {
    input: row.input_cost_nanousd,
    cacheRead: row.cache_read_cost_nanousd,
    cacheWrite: row.cache_write_cost_nanousd,
    promptAudio: row.prompt_audio_cost_nanousd,
    output: row.output_cost_nanousd,
    reasoning: row.reasoning_cost_nanousd,
    completionAudio: row.completion_audio_cost_nanousd,
  });
}
