/** What need not be shown, with the reason: facts that `carried` names, and attributes that ways out leave out. docs/dialects.md repeats both. */
import { MAX_READ_ATTRIBUTES, MAX_READ_SEGMENTS } from '../../src/normalize/flat-attributes.ts';
import { readJson } from './reading.ts';

/** Facts of scenarios that need not be shown. */
export interface Exception {
  readonly folder: string;
  readonly scenarios: 'all' | readonly string[];
  readonly facts: readonly string[];
  readonly reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    folder: 'openinference-langchain',
    scenarios: ['retrieval'],
    facts: ['embedding_input'],
    reason: 'LangChain’s embeddings have no spans; the question is found because other spans have it.',
  },
  {
    folder: 'openinference-openai-agents',
    scenarios: ['chat-completions'],
    facts: ['tool_definitions'],
    reason: 'Chat completions send no definition; the tool’s name is found on the span of its run.',
  },
  {
    folder: 'openinference-smolagents',
    scenarios: ['error'],
    facts: ['tool_definitions'],
    reason: 'The refused call names its tools only in the text of its system prompt.',
  },
  {
    folder: 'claude-agent-sdk',
    scenarios: ['error'],
    facts: ['error_message'],
    reason: 'The whole text belongs to the program; Claude Code sends what the provider returned.',
  },
  {
    folder: 'claude-agent-sdk-detailed',
    scenarios: ['tools'],
    facts: ['system_text'],
    reason: 'The whole system prompt is in a log record of the interaction.',
  },
  {
    folder: 'openlit',
    scenarios: ['responses-tools'],
    facts: ['tool_results_in_prompt', 'tool_run_result'],
    reason: 'The Responses API sends only the user’s texts; the result is found because the answer repeats it.',
  },
  {
    folder: 'litellm',
    scenarios: ['chat', 'tools'],
    facts: ['usage_input_cache_read', 'usage_output_reasoning'],
    reason: 'Only the span of the provider’s own answer below the call has them, as Python text.',
  },
  {
    folder: 'openllmetry',
    scenarios: ['anthropic-thinking'],
    facts: ['usage_total', 'sum_output'],
    reason: 'The library counts one output token more than the provider, and its total with it.',
  },
  {
    folder: 'openllmetry-events',
    scenarios: ['anthropic-thinking'],
    facts: ['usage_total', 'sum_output'],
    reason: 'The library counts one output token more than the provider, and its total with it.',
  },
  {
    folder: 'openllmetry-events',
    scenarios: ['anthropic-chat', 'anthropic-tools'],
    facts: ['sum_input', 'sum_output'],
    reason:
      'The span names neither the answer nor the model, so nothing ties it to the span that the anthropic package sends in a separate trace: both count.',
  },
  {
    folder: 'openllmetry-langchain',
    scenarios: 'all',
    facts: ['usage_output_reasoning'],
    reason: 'Only the span of the parser after the model has them, inside its input message.',
  },
  {
    folder: 'openllmetry-langchain',
    scenarios: ['stream'],
    facts: ['response_model'],
    reason: 'Only the span of the parser after the model has it, inside its input message.',
  },
  {
    folder: 'openllmetry-langchain',
    scenarios: ['retrieval'],
    facts: ['document_ids'],
    reason: 'The span of the retriever has texts and metadata; ids are only in the input of the next step.',
  },
  {
    folder: 'otel-genai-langchain',
    scenarios: ['retrieval'],
    facts: ['documents', 'embedding_input'],
    reason: 'The span of the retriever has ids, and the texts are found in the prompt; embeddings have no spans.',
  },
  {
    folder: 'otel-genai-openai',
    scenarios: ['session'],
    facts: ['kinds'],
    reason: 'A span of the program itself: nothing on it indicates a kind.',
  },
  {
    folder: 'otel-openai-v2',
    scenarios: ['session'],
    facts: ['kinds'],
    reason: 'A span of the program itself: nothing on it indicates a kind.',
  },
  {
    folder: 'otel-openai-v2-latest',
    scenarios: ['session'],
    facts: ['kinds'],
    reason: 'A span of the program itself: nothing on it indicates a kind.',
  },
  {
    folder: 'semantic-kernel',
    scenarios: ['tools'],
    facts: ['tool_definitions'],
    reason: 'Only the names of functions are sent, on the span around the calls.',
  },
  {
    folder: 'strands',
    scenarios: ['tools', 'tool-error'],
    facts: ['tool_definitions'],
    reason:
      'The agent’s span names its tools, and the span of a tool’s run has its schema; the span of the call has neither.',
  },
  {
    folder: 'strands-latest',
    scenarios: ['tools', 'tool-error'],
    facts: ['tool_definitions'],
    reason:
      'The agent’s span names its tools, and the span of a tool’s run has its schema; the span of the call has neither.',
  },
];

/** An attribute that a way out gives otherwise than it came, or not at all. */
export interface LeftOut {
  /** As {@link readEveryWay} names it; absent for all of them. */
  readonly way?: string;
  readonly what: string;
  /** Absent where a comparison need not know it. */
  readonly isLeftOut?: (key: string, text: string) => boolean;
}

export const LEFT_OUT: readonly LeftOut[] = [
  {
    way: 'GraphQL',
    what: 'Vectors (`embedding.embeddings.N.embedding.vector`) are left out because they are long.',
    isLeftOut: (key) => key.endsWith('.embedding.vector'),
  },
  {
    way: 'REST, OTLP',
    what: 'An empty object has no value. A list of values of several types is a list of their texts.',
    isLeftOut: (_key, text) => text === '{}' || isMixed(readJson(text)),
  },
  {
    way: 'REST, an Arrow table',
    what: 'Where the values of a column, or of a member of its objects, are of several types, each is JSON text; so are integers beyond 64 bits. A member that is null cannot be told from one that is missing.',
  },
  {
    way: 'GraphQL, attributeTexts',
    what: 'What is derived in the place of an attribute. Columns of tables and their downloads have these texts.',
  },
  {
    way: 'Downloads of tables',
    what: 'A text of more than a million characters is cut. In CSV, a text that begins like a formula and is not a number has an apostrophe in front.',
  },
  {
    what: 'What JSON cannot say is text: bytes in base64, NaN and infinity, and, except in tables, integers beyond 2^53. The character U+0000 is shown as U+FFFD.',
  },
  { what: 'Empty parts of a key are left out: `a..b` becomes `a.b`.' },
  { what: 'Gaps between the indexes of a flattened list are closed: `a.0.b` and `a.2.b` become `a.0.b` and `a.1.b`.' },
  {
    what: `Only the first ${MAX_READ_ATTRIBUTES.toLocaleString('en')} attributes of a span are read, and only as far as their dotted keys have ${MAX_READ_SEGMENTS.toLocaleString('en')} segments together.`,
  },
  { what: 'A text of JSON whose values would take more than 16 MiB and twice its length in memory stays text.' },
];

/** Whether the attribute need not leave as it came. */
export function mayDiffer(way: string, key: string, text: string): boolean {
  return LEFT_OUT.some((one) => one.way === way && one.isLeftOut?.(key, text) === true);
}

function isMixed(list: unknown): boolean {
  return Array.isArray(list) && new Set(list.map((item) => typeof item)).size > 1;
}
