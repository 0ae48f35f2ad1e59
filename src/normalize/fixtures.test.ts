/** Recorded requests of real instrumentations must read as what really happened: test/fixtures/otlp/README.md. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import type { Span } from '#domain/span';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { canonicalJson, listRecordings, readRecording } from '../../test/support/recorded-truth.ts';
import { normalizeRequest } from './normalize-request.ts';
import { normalizeSpan } from './normalize-span.ts';

const RECORDINGS = listRecordings(['openinference-', 'otel-genai-', 'otel-openai-v2-latest', 'strands']);

const IN_INPUT_ONLY = 'only inside input.value or output.value, as the framework wrote it for itself';

/** Facts that the bytes hold, but nowhere that tells what they are. */
const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['openinference-haystack input_tool_calls', IN_INPUT_ONLY],
  ['openinference-haystack tool_results_in_prompt', IN_INPUT_ONLY],
  ['openinference-haystack tool_definitions', IN_INPUT_ONLY],
  ['openinference-haystack image_bytes', IN_INPUT_ONLY],
  ['openinference-haystack embedding_usage', IN_INPUT_ONLY],
  ['openinference-js-langchain response_model', IN_INPUT_ONLY],
  ['openinference-js-langchain system_text', IN_INPUT_ONLY],
  ['openinference-langchain response_model', IN_INPUT_ONLY],
  ['openinference-langchain document_ids', IN_INPUT_ONLY],
  ['openinference-litellm response_model', IN_INPUT_ONLY],
  ['openinference-openai-agents tool_definitions', 'chat completions name them only on the spans of the tools'],
  ['openinference-openai-agents input_tool_calls', 'a call without arguments is sent without the empty object'],
  ['openinference-openai-agents output_tool_calls', 'a call without arguments is sent without the empty object'],
  ['openinference-smolagents response_model', IN_INPUT_ONLY],
  ['openinference-smolagents input_text', 'the observation is sent with the role tool'],
  ['openinference-smolagents tool_definitions', 'the refused call names them only in its system prompt'],
  ['otel-genai-langchain documents', 'documents are ids, their text is in the prompt'],
  ['otel-genai-openai kinds', 'the span around the call is plain OpenTelemetry: nothing tells a kind'],
  ['otel-openai-v2-latest kinds', 'the span around the call is plain OpenTelemetry: nothing tells a kind'],
  ['strands tool_definitions', 'the agent carries names, the spans of the tools their schemas'],
  ['strands-latest tool_definitions', 'the agent carries names, the spans of the tools their schemas'],
]);

describe.each(RECORDINGS)('%s', (recording) => {
  it.each(readRecording(recording))('$name reads as what happened', ({ bodies, facts, kinds }) => {
    const context = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };
    const requests = bodies.map((body) => normalizeRequest(decodeExportTraceRequest(body), context));
    expect(requests.flatMap(({ rejected }) => rejected)).toEqual([]);
    const spans = bodies.flatMap(readSpans);
    const missing = [...facts]
      .filter(([fact]) => !UNREADABLE.has(`${recording} ${fact}`))
      .flatMap(([fact, lines]) => {
        const found = spans.flatMap(FACTS[fact] ?? (() => []));
        const isFound = (line: string): boolean =>
          PARTIAL.has(fact) ? found.some((text) => text.includes(line)) : found.includes(line);
        return lines.filter((line) => !isFound(line)).map((line) => `${fact}: ${line}`);
      });
    expect(missing).toEqual([]);
    if (!UNREADABLE.has(`${recording} kinds`)) {
      expect(spans.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]));
    }
  });
});

function readSpans(body: Uint8Array): Span[] {
  return decodeExportTraceRequest(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.flatMap((span) => ('malformed' in span ? [] : [normalizeSpan(span, scope, resource, 0n)])),
    ),
  );
}

/** Facts that frameworks wrap in something of their own. */
const PARTIAL: ReadonlySet<string> = new Set(['tool_run_arguments', 'tool_run_result', 'error_message']);

/** Where each fact is read in a span, as the lines that the truth tells it in. */
const FACTS: Readonly<Record<string, (span: Span) => string[]>> = {
  model: (span) => [span.modelName ?? '', ...texts(span, 'llm.request.model_name')].flatMap(modelNames),
  response_model: (span) => texts(span, 'llm.model_name'),
  system_text: (span) => describeMessages(span, 'llm.input_messages'),
  input_text: (span) => describeMessages(span, 'llm.input_messages'),
  input_tool_calls: (span) => describeMessages(span, 'llm.input_messages'),
  tool_results_in_prompt: (span) => describeMessages(span, 'llm.input_messages'),
  image_bytes: (span) => describeMessages(span, 'llm.input_messages'),
  output_text: (span) => describeMessages(span, 'llm.output_messages'),
  output_tool_calls: (span) => describeMessages(span, 'llm.output_messages'),
  output_reasoning: (span) => describeMessages(span, 'llm.output_messages'),
  tool_definitions: (span) => list(span.attributes, 'llm.tools').flatMap(toolName),
  tool_run_arguments: (span) => (span.kind === 'TOOL' ? [span.input?.value ?? ''] : []),
  tool_run_result: (span) => (span.kind === 'TOOL' ? [span.output?.value ?? ''] : []),
  error_message: (span) => [
    span.statusMessage,
    ...span.events.flatMap((event) => texts(event.attributes, 'exception.message')),
  ],
  documents: (span) => list(span.attributes, 'retrieval.documents').flatMap((item) => texts(item, 'document.content')),
  document_ids: (span) => list(span.attributes, 'retrieval.documents').flatMap((item) => texts(item, 'document.id')),
  document_scores: (span) =>
    list(span.attributes, 'retrieval.documents').flatMap((item) => texts(item, 'document.score')),
  embedding_model: (span) => (span.kind === 'EMBEDDING' ? modelNames(span.modelName ?? '') : []),
  embedding_input: (span) =>
    list(span.attributes, 'embedding.embeddings').flatMap((item) => texts(item, 'embedding.text')),
  embedding_usage: (span) => [String(span.tokenCounts.prompt)],
  session: (span) => [span.sessionId ?? ''],
  user: (span) => [span.userId ?? ''],
  usage_input_total: (span) => [String(span.tokenCounts.prompt)],
  usage_input_cache_read: (span) => [String(span.tokenCounts.cacheRead)],
  usage_input_cache_write: (span) => [String(span.tokenCounts.cacheWrite)],
  usage_output_total: (span) => [String(span.tokenCounts.completion)],
  usage_output_reasoning: (span) => [String(span.tokenCounts.reasoning)],
  usage_total: (span) => [String(span.tokenCounts.total)],
};

function describeMessages(span: Span, path: string): string[] {
  return list(span.attributes, path).flatMap((item) => {
    const role = texts(item, 'message.role')[0] ?? '';
    const contents = list(item, 'message.contents').map((content) => content['message_content'] as JsonObject);
    const said = [
      ...texts(item, 'message.content'),
      ...contents.filter(({ type }) => type !== 'reasoning').flatMap((content) => texts(content, 'text')),
    ];
    const calls = list(item, 'message.tool_calls').map((call) => call['tool_call'] as JsonObject);
    return [
      ...said.map((text) => `${role === 'tool' ? 'result' : role} ${text}`),
      ...contents
        .filter(({ type }) => type === 'reasoning')
        .flatMap((content) => texts(content, 'text').map((text) => `reasoning ${text}`)),
      ...contents.flatMap((content) => texts(content, 'image.image.url')).map((url) => `image ${url}`),
      ...calls.map(
        (call) => `call ${texts(call, 'function.name')} ${canonicalJson(texts(call, 'function.arguments')[0] ?? '')}`,
      ),
    ];
  });
}

function toolName(item: JsonObject): string[] {
  const schema = JSON.parse(texts(item, 'tool.json_schema')[0] ?? '{}') as JsonObject;
  return [...texts(schema, 'name'), ...texts(schema, 'function.name'), ...texts(schema, 'toolSpec.name')];
}

/** The name as it is, and without the gateway before it (`openai/`) and the date of a version after it. */
function modelNames(model: string): string[] {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return [name, name.replace(/-\d{4}-?\d{2}-?\d{2}$/, '')];
}

function texts(holder: Span | JsonObject, ...paths: readonly string[]): string[] {
  const tree = ('traceId' in holder ? holder.attributes : holder) as JsonObject;
  return paths
    .map((path) => attributeAt(tree, path))
    .filter((value) => value !== undefined)
    .map(String);
}

function list(tree: JsonObject, path: string): JsonObject[] {
  const value: JsonValue | undefined = attributeAt(tree, path);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
