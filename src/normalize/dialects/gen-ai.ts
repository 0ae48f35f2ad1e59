/**
 * OpenTelemetry's GenAI conventions, in span attributes.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-spans.md
 */
import { jsonObject } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillContent } from '../gen-ai/content.ts';
import type { Lookup } from '../gen-ai/lookup.ts';
import { fillOperation } from '../gen-ai/operation.ts';
import { GEN_AI_TOKENS } from '../gen-ai/tokens.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'gen-ai';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('gen_ai') || attributes.hasRoot('enduser');
}

export function translate({ attributes }: SpanEvidence): void {
  const get: Lookup = (key) => attributes.getUnclaimed(key);
  fillOperation(get, attributes);
  fillContent(get, attributes);
  fillPromptVariables(attributes);
}

/** The values that were put into a prompt template, one attribute each. */
function fillPromptVariables(attributes: FlatAttributes): void {
  const variables = jsonObject();
  for (const [key, value] of attributes.entries()) {
    if (key.startsWith(genAi.PREFIX_GEN_AI_PROMPT_VARIABLE)) {
      variables[key.slice(genAi.PREFIX_GEN_AI_PROMPT_VARIABLE.length)] = value;
    }
  }
  if (Object.keys(variables).length > 0) {
    attributes.fillNamespace(openinference.ATTR_LLM_PROMPT_TEMPLATE_VARIABLES, variables);
  }
}

export const docs: DialectDocs = {
  title: 'OpenTelemetry GenAI, in attributes',
  checkedVersion: 'semantic conventions 1.27 to 1.41, and semantic-conventions-genai of November 2026',
  mappings: [
    {
      from: 'gen_ai.operation.name',
      to: 'openinference.span.kind',
      note: 'Without an operation, the kind follows from the other attributes: gen_ai.request.encoding_formats, for example, shows an embedding. An unlisted operation is UNKNOWN.',
    },
    {
      from: 'gen_ai.provider.name, gen_ai.system',
      to: 'llm.provider, llm.system',
      note: 'Names of frameworks are ignored.',
    },
    {
      from: 'gen_ai.request.model, gen_ai.response.model',
      to: 'llm.model_name, llm.request.model_name, llm.response.model_name, embedding.model_name, reranker.model_name',
    },
    {
      from: 'gen_ai.request.*',
      to: 'llm.invocation_parameters, embedding.invocation_parameters',
      note: 'Under the names of the OpenAI API. Also llm.top_k, llm.frequency_penalty, llm.presence_penalty, llm.is_streaming, llm.chat.stop_sequences, llm.request.reasoning_effort and llm.request.repetition_penalty.',
    },
    { from: 'gen_ai.response.finish_reasons', to: 'llm.finish_reason' },
    {
      from: GEN_AI_TOKENS.input.join(', '),
      to: 'llm.token_count.prompt',
      note: 'If the total equals input, output and cached tokens together, the input leaves out the cached tokens, so they are added.',
    },
    { from: GEN_AI_TOKENS.output.join(', '), to: 'llm.token_count.completion' },
    {
      from: GEN_AI_TOKENS.total.join(', '),
      to: 'llm.token_count.total',
      note: 'Without it, the sum of input and output, if both were sent.',
    },
    { from: GEN_AI_TOKENS.cacheRead.join(', '), to: 'llm.token_count.prompt_details.cache_read' },
    { from: GEN_AI_TOKENS.cacheWrite.join(', '), to: 'llm.token_count.prompt_details.cache_write' },
    { from: GEN_AI_TOKENS.reasoning.join(', '), to: 'llm.token_count.completion_details.reasoning' },
    { from: GEN_AI_TOKENS.inputAudio.join(', '), to: 'llm.token_count.prompt_details.audio' },
    { from: GEN_AI_TOKENS.outputAudio.join(', '), to: 'llm.token_count.completion_details.audio' },
    { from: 'gen_ai.usage.cost', to: 'llm.cost.total', note: 'If it is more than 0.' },
    { from: 'gen_ai.conversation.id, gen_ai.thread.id', to: 'session.id' },
    { from: 'enduser.id, llm.user, gen_ai.user', to: 'user.id' },
    { from: 'gen_ai.agent.name', to: 'agent.name' },
    {
      from: 'gen_ai.system_instructions',
      to: 'llm.input_messages',
      note: 'As the first message, unless the messages already contain it.',
    },
    {
      from: 'gen_ai.input.messages, gen_ai.prompt',
      to: 'llm.input_messages, input.value; embedding.embeddings on a span of kind EMBEDDING',
      note: 'Structured or JSON text; text, reasoning, calls, results, images, audio, video and files of the conventions and of OpenAI, Anthropic, Bedrock, Gemini, Strands, LangChain, Pydantic AI and the Vercel AI SDK. A result of a tool with images or files has several contents. A text file is shown as its text.',
    },
    { from: 'gen_ai.output.messages, gen_ai.completion', to: 'llm.output_messages, output.value' },
    { from: 'gen_ai.tool.definitions', to: 'llm.tools' },
    {
      from: 'gen_ai.tool.name, gen_ai.tool.description, gen_ai.tool.call.id',
      to: 'tool.name, tool.description, tool.id',
    },
    {
      from: 'gen_ai.tool.call.arguments, code.function.parameters.*.value',
      to: 'tool.parameters, input.value',
      note: 'Google uses the latter, on the span or inside the former.',
    },
    { from: 'gen_ai.tool.call.result, code.function.return.value', to: 'output.value' },
    { from: 'gen_ai.retrieval.query.text', to: 'input.value' },
    { from: 'gen_ai.retrieval.documents', to: 'retrieval.documents' },
    { from: 'gen_ai.prompt.name, gen_ai.prompt.version', to: 'prompt.id, llm.prompt_template.version' },
    { from: 'gen_ai.prompt.variable.*', to: 'llm.prompt_template.variables' },
  ],
  notCovered: [
    'gen_ai.response.id, gen_ai.response.time_to_first_chunk and server.* have no name in OpenInference and are not translated.',
    'Tokens of text, images and video (gen_ai.usage.text.*, .image.*, .video.*), of tools in the prompt, and of accepted and rejected predictions have no name in OpenInference and are not translated.',
    'Memory operations other than search have no kind.',
  ],
};
