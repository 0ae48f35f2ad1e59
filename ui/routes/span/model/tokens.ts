/** What a call used, with the parts of it that are known, and what is to be said about them. */
import type { JsonObject } from '#base/json';
import { numberAt } from './read-json.ts';

/** Tokens; `undefined` where the producer did not say. */
export interface TokenDetails {
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  readonly total: number;
  readonly details: readonly {
    readonly label: string;
    readonly side: 'prompt' | 'completion';
    readonly count: number;
  }[];
  readonly notes: readonly TokenNote[];
}

/** A sentence about tokens. */
export interface TokenNote {
  /** A contradiction, or something good to know. */
  readonly tone: 'warning' | 'info';
  readonly text: string;
}

/** Tokens as the API gives them with a span. */
export interface SpanTokens {
  readonly tokenCountPrompt: number | null | undefined;
  readonly tokenCountCompletion: number | null | undefined;
  readonly tokenCountTotal: number | null | undefined;
  readonly tokenRemarks: readonly { readonly kind: string; readonly message: string }[];
  readonly tokenCounting: TokenCounting | null | undefined;
}

/** Whether the tokens count in sums. */
export interface TokenCounting {
  readonly reason: string;
  readonly countedInCount: number;
  readonly countedIn: readonly { readonly name: string }[];
  readonly surplus: number;
}

/** The counts of a span; `undefined` where it has none. */
export function readTokens(attributes: JsonObject, span: SpanTokens): TokenDetails | undefined {
  if (span.tokenCountTotal == null) return undefined;
  const details = DETAILS.flatMap(({ label, side, path }) => {
    const count = numberAt(attributes, `llm.token_count.${path}`);
    return count === undefined || count === 0 ? [] : [{ label, side, count }];
  });
  return {
    prompt: span.tokenCountPrompt ?? undefined,
    completion: span.tokenCountCompletion ?? undefined,
    total: span.tokenCountTotal,
    details,
    notes: [...describeCounting(span.tokenCounting ?? undefined), ...span.tokenRemarks.map(toNote)],
  };
}

function toNote({ kind, message }: SpanTokens['tokenRemarks'][number]): TokenNote {
  return { tone: kind === 'parts_left_out' ? 'info' : 'warning', text: message };
}

function describeCounting(counting: TokenCounting | undefined): TokenNote[] {
  if (counting === undefined || counting.reason === 'counted') return [];
  const { reason, countedInCount, surplus } = counting;
  const where = countedInCount === 0 ? 'Not counted in totals' : `Counted in ${nameSpans(counting)}`;
  const text = `${where}${REASONS.get(reason) ?? ''}.`;
  const more = `It reports ${surplus} more tokens, which are not counted anywhere.`;
  return [{ tone: 'info', text }, ...(surplus > 0 ? [{ tone: 'warning' as const, text: more }] : [])];
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['calls_below', ' below, so not here'],
  ['same_call', ', which describes the same call'],
  ['other_kind', ': only model calls count'],
]);

function nameSpans({ countedIn, countedInCount }: TokenCounting): string {
  const [only] = countedIn;
  if (countedInCount === 1 && only !== undefined) return only.name === '' ? 'a span without a name' : only.name;
  return `${countedInCount === MAX_COUNT ? `${MAX_COUNT} or more` : countedInCount} model calls`;
}

/** The API counts no further. */
const MAX_COUNT = 1000;

const DETAILS = [
  { label: 'Cache read', side: 'prompt', path: 'prompt_details.cache_read' },
  { label: 'Cache write', side: 'prompt', path: 'prompt_details.cache_write' },
  { label: 'Cached', side: 'prompt', path: 'prompt_details.cache_input' },
  { label: 'Audio in', side: 'prompt', path: 'prompt_details.audio' },
  { label: 'Reasoning', side: 'completion', path: 'completion_details.reasoning' },
  { label: 'Audio out', side: 'completion', path: 'completion_details.audio' },
] as const;
