/** What was said in a trace whose root tells nothing, out of what its spans read and wrote. */

/** A span, as far as it is asked for; `Value` is what it read or wrote. */
export interface SpeakingSpan<Value> {
  readonly name: string;
  readonly spanKind: string;
  readonly input: Value | null | undefined;
  readonly output: Value | null | undefined;
}

/** See {@link readSpokenTexts}. */
export interface SpokenTexts<Value> {
  readonly input: Value | null;
  readonly output: Value | null;
  /** What a tool gave back where nobody answered; never the assistant's words. */
  readonly toolResult: { readonly toolName: string; readonly value: Value } | null;
}

/** What the first span that speaks was given and the last one answered; without an answer, what the last tool gave back. */
export function readSpokenTexts<Value>(spans: readonly SpeakingSpan<Value>[]): SpokenTexts<Value> {
  const speaking = spans.filter(({ spanKind }) => SPEAKING_KINDS.has(spanKind));
  // Applications that name no kind are taken at their word only where no other span speaks.
  const speakers = speaking.length > 0 ? speaking : spans.filter(({ spanKind }) => spanKind === 'unknown');
  const input = speakers.find((span) => span.input != null)?.input ?? null;
  const output = speakers.findLast((span) => span.output != null)?.output ?? null;
  if (output !== null) return { input, output, toolResult: null };
  const tool = spans.findLast((span) => span.spanKind === 'tool' && span.output != null);
  return { input, output, toolResult: tool?.output == null ? null : { toolName: tool.name, value: tool.output } };
}

const SPEAKING_KINDS: ReadonlySet<string> = new Set(['llm', 'agent', 'chain']);
