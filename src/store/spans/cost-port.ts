/** What calls cost, summed up by type of token. */

/** What tokens of one type come to. */
export interface CostDetailSum {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number;
  /** In US dollars, by the price table. */
  readonly cost: number;
}

/** Sums of calls that count; a call without a price is in none. Types without tokens are left out. */
export interface CostReader {
  readTraceCostDetails(traceRowIds: readonly number[]): Promise<ReadonlyMap<number, readonly CostDetailSum[]>>;
  readSessionCostDetails(sessionRowIds: readonly number[]): Promise<ReadonlyMap<number, readonly CostDetailSum[]>>;
  /** Of the span and all below it, by span row id. Of a trace with more spans than are read at once, the earliest count. */
  readSubtreeCostDetails(spanRowIds: readonly number[]): Promise<ReadonlyMap<number, readonly CostDetailSum[]>>;
}
