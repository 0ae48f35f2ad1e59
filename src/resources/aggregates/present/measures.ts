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
  return { measure: { kind: 'cost', of }, scale: 1, description: `Counted cost in US dollars: ${description}.` };
}

function count(measure: Measure, description: string): NamedMeasure {
  return { measure, scale: 1, description };
}

/** By name. */
export const MEASURES = {
  COUNT: count({ kind: 'count', status: null }, 'Spans.'),
  OK_COUNT: count({ kind: 'count', status: 'OK' }, 'Successful spans.'),
  ERROR_COUNT: count({ kind: 'count', status: 'ERROR' }, 'Failed spans.'),
  UNSET_COUNT: count({ kind: 'count', status: 'UNSET' }, 'Spans whose status is not set.'),
  ERROR_RATE: count({ kind: 'error_rate' }, 'Share of failed spans.'),
  LATENCY_MS_MIN: latency(0, 'The latency of the shortest finished span.'),
  LATENCY_MS_P50: latency(0.5, 'Exact, like all percentiles: computed from the latencies of all finished spans.'),
  LATENCY_MS_P75: latency(0.75, 'As P50.'),
  LATENCY_MS_P90: latency(0.9, 'As P50.'),
  LATENCY_MS_P95: latency(0.95, 'As P50.'),
  LATENCY_MS_P99: latency(0.99, 'As P50.'),
  LATENCY_MS_P999: latency(0.999, 'As P50.'),
  LATENCY_MS_MAX: latency(1, 'The latency of the longest finished span.'),
  PROMPT_TOKENS: tokens('prompt', 'Counted tokens: a wrapper that repeats its calls adds nothing.'),
  COMPLETION_TOKENS: tokens('completion', 'As PROMPT_TOKENS.'),
  TOTAL_TOKENS: tokens('total', 'As PROMPT_TOKENS.'),
  CACHE_READ_TOKENS: tokens('cache_read', 'In counted prompts.'),
  CACHE_WRITE_TOKENS: tokens('cache_write', 'In counted prompts.'),
  PROMPT_AUDIO_TOKENS: tokens('prompt_audio', 'In counted prompts.'),
  REASONING_TOKENS: tokens('reasoning', 'In counted completions.'),
  COMPLETION_AUDIO_TOKENS: tokens('completion_audio', 'In counted completions.'),
  COST: cost('total', 'all'),
  PROMPT_COST: cost('prompt', 'the part known to be for prompts'),
  COMPLETION_COST: cost('completion', 'the part known to be for completions'),
  INPUT_COST: cost('input', 'prompts without their special token types, from the price table'),
  CACHE_READ_COST: cost('cache_read', 'from the price table'),
  CACHE_WRITE_COST: cost('cache_write', 'from the price table'),
  PROMPT_AUDIO_COST: cost('prompt_audio', 'from the price table'),
  OUTPUT_COST: cost('output', 'completions without their special token types, from the price table'),
  REASONING_COST: cost('reasoning', 'from the price table'),
  COMPLETION_AUDIO_COST: cost('completion_audio', 'from the price table'),
  TRACE_COUNT: count({ kind: 'distinct', of: 'traces' }, 'Distinct traces.'),
  LAST_START_MS: {
    measure: { kind: 'last_start' },
    scale: 1e-3,
    description: 'When the newest span started, in milliseconds since 1970.',
  },
  SESSION_COUNT: count({ kind: 'distinct', of: 'sessions' }, 'Distinct sessions.'),
  USER_COUNT: count({ kind: 'distinct', of: 'users' }, 'Distinct users.'),
} as const satisfies Record<string, NamedMeasure>;

/** The name of a measure. */
export type MeasureName = keyof typeof MEASURES;
