/** What a call used, with the parts of it that are known. */
import type { JsonObject } from '#base/json';
import { numberAt } from './read-json.ts';

/** Tokens; `undefined` where the producer did not say. */
export interface TokenDetails {
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  readonly total: number | undefined;
  readonly details: readonly {
    readonly label: string;
    readonly side: 'prompt' | 'completion';
    readonly count: number;
  }[];
}

/** The counts of a span; `undefined` where it has none. */
export function readTokens(attributes: JsonObject): TokenDetails | undefined {
  const at = (path: string) => numberAt(attributes, `llm.token_count.${path}`);
  const [prompt, completion] = [at('prompt'), at('completion')];
  const total =
    at('total') ?? (prompt === undefined && completion === undefined ? undefined : (prompt ?? 0) + (completion ?? 0));
  if (total === undefined) return undefined;
  const details = DETAILS.flatMap(({ label, side, path }) => {
    const count = at(path);
    return count === undefined || count === 0 ? [] : [{ label, side, count }];
  });
  return { prompt, completion, total, details };
}

const DETAILS = [
  { label: 'Cache read', side: 'prompt', path: 'prompt_details.cache_read' },
  { label: 'Cache write', side: 'prompt', path: 'prompt_details.cache_write' },
  { label: 'Cached', side: 'prompt', path: 'prompt_details.cache_input' },
  { label: 'Audio in', side: 'prompt', path: 'prompt_details.audio' },
  { label: 'Reasoning', side: 'completion', path: 'completion_details.reasoning' },
  { label: 'Audio out', side: 'completion', path: 'completion_details.audio' },
] as const;
