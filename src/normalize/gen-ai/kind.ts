/** What kind of step a GenAI span is. */
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import type { Lookup } from './lookup.ts';

/** The kind by the operation that is named; where none is, by what else is there. */
export function readKind(get: Lookup): SpanKind | undefined {
  const operation = get(genAi.ATTR_GEN_AI_OPERATION_NAME);
  if (typeof operation === 'string' && operation !== '') return kindOfOperation(operation);
  for (const [kind, keys] of KIND_EVIDENCE) if (keys.some((key) => get(key) !== undefined)) return kind;
  return undefined;
}

/** The kind that an operation is, by the conventions' names and those that libraries have added. */
export function kindOfOperation(operation: string): SpanKind | undefined {
  return KINDS.get(operation.toLowerCase());
}

const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['chat', 'LLM'],
  ['text_completion', 'LLM'],
  ['generate_content', 'LLM'],
  ['embeddings', 'EMBEDDING'],
  ['execute_tool', 'TOOL'],
  ['retrieval', 'RETRIEVER'],
  ['search_memory', 'RETRIEVER'],
  ['rerank', 'RERANKER'],
  ['invoke_agent', 'AGENT'],
  ['create_agent', 'AGENT'],
  ['plan', 'AGENT'],
  ['invoke_workflow', 'CHAIN'],
  // Semantic Kernel for .NET, and libraries before the conventions.
  ['chat.completions', 'LLM'],
  ['text.completions', 'LLM'],
  ['completion', 'LLM'],
  ['embedding', 'EMBEDDING'],
  // Agents of Azure AI, by threads and runs.
  ['process_thread_run', 'AGENT'],
  ['start_thread_run', 'AGENT'],
  // The AI SDK.
  ['agent_step', 'CHAIN'],
  // Strands: one turn of an agent.
  ['execute_event_loop_cycle', 'CHAIN'],
  // OpenLLMetry.
  ['execute_task', 'CHAIN'],
  ['vector_db_retrieve', 'RETRIEVER'],
  // OpenLIT.
  ['agent', 'AGENT'],
  ['framework', 'CHAIN'],
  ['image', 'LLM'],
  ['audio', 'LLM'],
  // Microsoft.Extensions.AI: the loop that runs tools between calls.
  ['orchestrate_tools', 'CHAIN'],
  // Gemini CLI.
  ['llm_call', 'LLM'],
  ['tool_call', 'TOOL'],
  ['agent_call', 'AGENT'],
  ['schedule_tool_calls', 'CHAIN'],
]);

/** What tells the kind of a span that names no operation; the first that is there decides. */
const KIND_EVIDENCE: readonly (readonly [SpanKind, readonly string[]])[] = [
  ['TOOL', [genAi.ATTR_GEN_AI_TOOL_NAME, genAi.ATTR_GEN_AI_TOOL_CALL_ID]],
  ['RETRIEVER', [genAi.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT, genAi.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS]],
  ['EMBEDDING', [genAi.ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT, genAi.ATTR_GEN_AI_REQUEST_ENCODING_FORMATS]],
  [
    'LLM',
    [
      genAi.ATTR_GEN_AI_REQUEST_MODEL,
      genAi.ATTR_GEN_AI_INPUT_MESSAGES,
      genAi.ATTR_GEN_AI_OUTPUT_MESSAGES,
      genAi.ATTR_GEN_AI_PROMPT,
      genAi.ATTR_GEN_AI_COMPLETION,
    ],
  ],
  ['CHAIN', [genAi.ATTR_GEN_AI_WORKFLOW_NAME]],
  ['AGENT', [genAi.ATTR_GEN_AI_AGENT_NAME]],
];
