import type { JsonValue } from '#base/json';
import type { TokenCounts } from '#domain/span';
import * as openinference from '#semconv/openinference';
import { toInteger } from './number.ts';

/**
 * The tokens that a span claims, whatever its kind. Where the cache details are more than the prompt, its count left
 * them out, and they are added.
 */
export function readTokenCounts(read: (path: string) => JsonValue | undefined): TokenCounts {
  const count = (path: string): number | null => toInteger(read(path)) ?? null;
  const prompt = count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT);
  const total = count(openinference.ATTR_LLM_TOKEN_COUNT_TOTAL);
  const cacheRead =
    count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ) ??
    count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_INPUT);
  const cacheWrite = count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_WRITE);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const leftOut = prompt !== null && cached > prompt ? cached : 0;
  return {
    prompt: prompt === null ? null : prompt + leftOut,
    completion: count(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION),
    total: total === null ? null : total + leftOut,
    cacheRead,
    cacheWrite,
    reasoning: count(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_REASONING),
    promptAudio: count(openinference.ATTR_LLM_TOKEN_COUNT_PROMPT_DETAILS_AUDIO),
    completionAudio: count(openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION_DETAILS_AUDIO),
  };
}
