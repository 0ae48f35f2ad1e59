/** What a span cost, with the parts of it that are known, and what is to be said about them. US dollars. */

/** Costs as the API gives them with a span. */
export interface SpanCosts {
  readonly costSummary:
    | { readonly prompt: CostPart; readonly completion: CostPart; readonly total: CostPart }
    | null
    | undefined;
  readonly costDetailSummaryEntries: readonly {
    readonly tokenType: string;
    readonly isPrompt: boolean;
    readonly value: CostPart;
  }[];
  readonly computedCost: number | null | undefined;
  readonly reportedCost: number | null | undefined;
  readonly cumulativeCostSummary: { readonly total: CostPart } | null | undefined;
  readonly countsInSums: boolean;
}

interface CostPart {
  readonly cost?: number | null | undefined;
  readonly tokens?: number | null | undefined;
}

/** See the file. */
export interface CostDetails {
  /** Of the span by itself; undefined where it is not known. */
  readonly total: number | undefined;
  /** Of the span and all below it, where that is something else. */
  readonly withBelow: number | undefined;
  readonly rows: readonly CostRow[];
  readonly notes: readonly string[];
}

/** A line of the breakdown. */
export interface CostRow {
  readonly label: string;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  readonly kind: 'side' | 'part' | 'total' | 'other';
}

/** The costs of a span; undefined where nothing is known of any. */
export function readCost(span: SpanCosts): CostDetails | undefined {
  const { costSummary, computedCost, reportedCost } = span;
  const total = costSummary?.total.cost ?? undefined;
  const below = span.cumulativeCostSummary?.total.cost ?? undefined;
  const withBelow = below !== undefined && below > 0 && !isNear(below, total ?? 0) ? below : undefined;
  if (total === undefined && withBelow === undefined && computedCost == null && reportedCost == null) return undefined;
  const rows: CostRow[] = [];
  if (costSummary != null) {
    rows.push(...rowsOf('Prompt', costSummary.prompt, partsOf(span, true)));
    rows.push(...rowsOf('Completion', costSummary.completion, partsOf(span, false)));
    rows.push({ label: 'Total', ...readPart(costSummary.total), kind: 'total' });
  }
  if (reportedCost != null) {
    rows.push({ label: 'As reported', tokens: undefined, cost: reportedCost, kind: 'other' });
    rows.push({ label: 'From the price table', tokens: undefined, cost: computedCost ?? undefined, kind: 'other' });
  }
  if (withBelow !== undefined) {
    rows.push({ label: 'Including spans below', tokens: undefined, cost: withBelow, kind: 'other' });
  }
  return { total, withBelow, rows, notes: notesOf(span, total) };
}

function rowsOf(label: string, side: CostPart, parts: readonly CostRow[]): readonly CostRow[] {
  const own = readPart(side);
  // A side of one part alone is that part.
  const shown = parts.length > 1 || (parts[0] !== undefined && own.cost === undefined) ? parts : [];
  return [{ label, ...own, kind: 'side' }, ...shown];
}

function partsOf({ costDetailSummaryEntries }: SpanCosts, isPrompt: boolean): readonly CostRow[] {
  return costDetailSummaryEntries
    .filter((entry) => entry.isPrompt === isPrompt)
    .map(({ tokenType, value }) => ({ label: nameType(tokenType), ...readPart(value), kind: 'part' as const }));
}

function readPart({ cost, tokens }: CostPart): Pick<CostRow, 'cost' | 'tokens'> {
  return { cost: cost ?? undefined, tokens: tokens ?? undefined };
}

/** `cache_read`: Cache read. */
function nameType(tokenType: string): string {
  const words = tokenType.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function notesOf({ reportedCost, computedCost, countsInSums }: SpanCosts, total: number | undefined): string[] {
  const notes: string[] = [];
  if (reportedCost != null) notes.push('The reported cost is the one that counts.');
  else if (computedCost != null) notes.push('From the price table, because no cost was reported.');
  if (total !== undefined && total > 0 && !countsInSums) {
    notes.push('Not counted in totals: another span counts these tokens.');
  }
  return notes;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 + Math.abs(other) * 1e-9;
}
