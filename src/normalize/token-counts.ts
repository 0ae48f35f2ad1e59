/**
 * How many tokens a span claims, in one meaning whatever its producer counts: input includes cached tokens, output
 * includes reasoning, the total is the sum of both. What was sent stays among the attributes.
 */
import type { JsonValue } from '#base/json';
import type { TokenCounts } from '#domain/span';
import * as openinference from '#semconv/openinference';
import { toInteger } from './number.ts';

/** Reads an attribute; `undefined` where it is not there. */
export type ReadAttribute = (path: string) => JsonValue | undefined;

/** Parts of a call's tokens that some producers count beside input and output, not in them. */
export const SEPARABLE_PARTS = ['cacheRead', 'cacheWrite', 'reasoning'] as const;

/** One of {@link SEPARABLE_PARTS}. */
export type SeparablePart = (typeof SEPARABLE_PARTS)[number];

/**
 * Reads the counts, whatever the span's kind. What a producer counts beside input and output is added to them where its
 * own numbers tell: its total is the sum of all, or a part would be larger than the whole.
 */
export function readTokenCounts(read: ReadAttribute): TokenCounts {
  const sent = readAsSent(read);
  const left = findLeftOut(sent);
  const prompt = plus(sent.prompt, partOf(sent, left, 'cacheRead') + partOf(sent, left, 'cacheWrite'));
  const completion = plus(sent.completion, partOf(sent, left, 'reasoning'));
  return {
    ...sent,
    prompt,
    completion,
    total: prompt === null || completion === null ? sent.total : prompt + completion,
  };
}

/** Every set of parts that has something in it. */
export function listPartSets(counts: Pick<TokenCounts, SeparablePart>): readonly (readonly SeparablePart[])[] {
  let sets: SeparablePart[][] = [[]];
  for (const part of SEPARABLE_PARTS) {
    if ((counts[part] ?? 0) > 0) sets = sets.flatMap((set) => [set, [...set, part]]);
  }
  return sets.filter((set) => set.length > 0);
}

/** What the parts come to. */
export function sumOfParts(counts: Pick<TokenCounts, SeparablePart>, parts: readonly SeparablePart[]): number {
  return parts.reduce((sum, part) => sum + (counts[part] ?? 0), 0);
}

function readAsSent(read: ReadAttribute): TokenCounts {
  const count = (path: string): number | null => toInteger(read(path)) ?? null;
  return {
    prompt: count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT),
    completion: count(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION),
    total: count(openinference.ATTR_LLM_TOKEN_COUNT_TOTAL),
    cacheRead:
      count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ) ??
      count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_INPUT),
    cacheWrite: count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE),
    reasoning: count(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING),
    promptAudio: count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO),
    completionAudio: count(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO),
  };
}

function findLeftOut(sent: TokenCounts): readonly SeparablePart[] {
  const { prompt, completion, cacheRead, cacheWrite, reasoning } = sent;
  const byTotal = leftOutByTotal(sent);
  if (byTotal !== undefined) return byTotal;
  const left: SeparablePart[] = [];
  if (prompt !== null && (cacheRead ?? 0) + (cacheWrite ?? 0) > prompt) left.push('cacheRead', 'cacheWrite');
  if (completion !== null && (reasoning ?? 0) > completion) left.push('reasoning');
  return left;
}

/** The parts that the total has beside input and output, where exactly one set of them comes to the difference. */
function leftOutByTotal(sent: TokenCounts): readonly SeparablePart[] | undefined {
  const { prompt, completion, total } = sent;
  if (prompt === null || completion === null || total === null || total <= prompt + completion) return undefined;
  const fitting = listPartSets(sent).filter((parts) => prompt + completion + sumOfParts(sent, parts) === total);
  return fitting.length === 1 ? fitting[0] : undefined;
}

function partOf(sent: TokenCounts, left: readonly SeparablePart[], part: SeparablePart): number {
  return left.includes(part) ? Math.max(sent[part] ?? 0, 0) : 0;
}

function plus(count: number | null, more: number): number | null {
  return count === null ? null : count + more;
}
