/** What can be computed of spans, by the names that clients know. */
import type { Measure } from '#store/aggregates/port';

/** A measure, and what its numbers are multiplied with for clients: latencies are in milliseconds there. */
interface NamedMeasure {
  readonly measure: Measure;
  readonly scale: number;
  readonly description: string;
}

function latency(probability: number, description: string): NamedMeasure {
  return { measure: { kind: 'latency', probability }, scale: 1e-3, description };
}

function tokens(of: Extract<Measure, { kind: 'tokens' }>['of'], description: string): NamedMeasure {
  return { measure: { kind: 'tokens', of }, scale: 1, description };
}

function cost(of: Extract<Measure, { kind: 'cost' }>['of'], description: string): NamedMeasure {
  return { measure: { kind: 'cost', of }, scale: 1, description: `US dollars that count: ${description}.` };
}

function count(measure: Measure, description: string): NamedMeasure {
  return { measure, scale: 1, description };
}

/** By name. */
export const MEASURES = {
  COUNT: count({ kind: 'count', status: null }, 'Spans.'),
  OK_COUNT: count({ kind: 'count', status: 'OK' }, 'Spans that ended well.'),
  ERROR_COUNT: count({ kind: 'count', status: 'ERROR' }, 'Spans that failed.'),
  UNSET_COUNT: count({ kind: 'count', status: 'UNSET' }, 'Spans that do not say how they ended.'),
  ERROR_RATE: count({ kind: 'error_rate' }, 'Share of spans that failed.'),
  LATENCY_MS_MIN: latency(0, 'The shortest span that ended.'),
  LATENCY_MS_P50: latency(0.5, 'Exact, as all percentiles: from the latencies of all spans that ended.'),
  LATENCY_MS_P75: latency(0.75, 'As P50.'),
  LATENCY_MS_P90: latency(0.9, 'As P50.'),
  LATENCY_MS_P95: latency(0.95, 'As P50.'),
  LATENCY_MS_P99: latency(0.99, 'As P50.'),
  LATENCY_MS_P999: latency(0.999, 'As P50.'),
  LATENCY_MS_MAX: latency(1, 'The longest span.'),
  PROMPT_TOKENS: tokens('prompt', 'Tokens that count: a wrapper that repeats its calls adds nothing.'),
  COMPLETION_TOKENS: tokens('completion', 'As PROMPT_TOKENS.'),
  TOTAL_TOKENS: tokens('total', 'As PROMPT_TOKENS.'),
  CACHE_READ_TOKENS: tokens('cache_read', 'Of the prompts that count.'),
  CACHE_WRITE_TOKENS: tokens('cache_write', 'Of the prompts that count.'),
  PROMPT_AUDIO_TOKENS: tokens('prompt_audio', 'Of the prompts that count.'),
  REASONING_TOKENS: tokens('reasoning', 'Of the completions that count.'),
  COMPLETION_AUDIO_TOKENS: tokens('completion_audio', 'Of the completions that count.'),
  COST: cost('total', 'all'),
  PROMPT_COST: cost('prompt', 'what is known to be of prompts'),
  COMPLETION_COST: cost('completion', 'what is known to be of completions'),
  INPUT_COST: cost('input', 'prompts but for their parts, by the price table'),
  CACHE_READ_COST: cost('cache_read', 'by the price table'),
  CACHE_WRITE_COST: cost('cache_write', 'by the price table'),
  PROMPT_AUDIO_COST: cost('prompt_audio', 'by the price table'),
  OUTPUT_COST: cost('output', 'completions but for their parts, by the price table'),
  REASONING_COST: cost('reasoning', 'by the price table'),
  COMPLETION_AUDIO_COST: cost('completion_audio', 'by the price table'),
  TRACE_COUNT: count({ kind: 'distinct', of: 'traces' }, 'Different traces.'),
  SESSION_COUNT: count({ kind: 'distinct', of: 'sessions' }, 'Different sessions.'),
  USER_COUNT: count({ kind: 'distinct', of: 'users' }, 'Different users.'),
} as const satisfies Record<string, NamedMeasure>;

/** The name of a measure. */
export type MeasureName = keyof typeof MEASURES;
