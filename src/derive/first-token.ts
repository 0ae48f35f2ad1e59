/** How long a model took until it began to answer, as producers report it: no convention of OpenInference has a name for it. */

/** Attributes with their unit in milliseconds. */
const DURATIONS: readonly (readonly [key: string, unitMs: number])[] = [
  ['gen_ai.response.time_to_first_chunk', 1000],
  ['gen_ai.server.time_to_first_token', 1000],
  ['ai.response.msToFirstChunk', 1],
];

/** When the answer began, as Langfuse's clients say it. */
const COMPLETION_START = 'langfuse.observation.completion_start_time';

/** Milliseconds; `null` where nothing tells. */
export function timeToFirstTokenMs(attributes: Readonly<Record<string, unknown>>, startUs: number): number | null {
  for (const [key, unitMs] of DURATIONS) {
    const value = attributes[key];
    if (typeof value === 'number' && value >= 0 && Number.isFinite(value * unitMs)) return value * unitMs;
  }
  const began = attributes[COMPLETION_START];
  if (typeof began !== 'string') return null;
  // Its clients write the time as JSON.
  const ms = Date.parse(began.replaceAll('"', '')) - startUs / 1000;
  return ms >= 0 ? ms : null;
}
