import type { AssistantMessage, Message, ToolDefinition } from './conversation.ts';
import type { Fault } from './faults.ts';
import { type StructuredForm, inForm, toGenAiMessages, toParts, toToolDefinitions } from './genai.ts';
import { drawFailedAttempts, drawLatency, drawUsage, type FaultOdds, MAX_ATTEMPTS } from './generation.ts';
import type { Model } from './models.ts';
import { type AttributeMap, Double } from './otlp.ts';
import type { OpenSpan, TraceRecorder } from './trace.ts';

/** One call of a chat model, recorded by the GenAI conventions. */
export interface GenAiCall {
  readonly model: Model;
  readonly form: StructuredForm;
  readonly instructions: string;
  readonly messages: readonly Message[];
  readonly reply: AssistantMessage;
  readonly tools: readonly ToolDefinition[];
  readonly knownCount: number;
  readonly odds: FaultOdds;
  readonly temperature: number;
  /** Ends the answer early, as the limit of tokens or a content filter does. */
  readonly finishReason?: 'length' | 'content_filter';
}

/** Records the attempts and, unless all fail, the reply. Returns the last fault when the client gave up. */
export function chat(trace: TraceRecorder, call: GenAiCall): Fault | undefined {
  const name = `chat ${call.model.name}`;
  const failures = drawFailedAttempts(trace.random, call.model, 'node', call.odds);
  for (const { fault, durationMs, backoffMs } of failures) {
    trace.span(name, { otelKind: 3, attributes: { ...requestAttributes(call), 'error.type': fault.type } }, (span) => {
      trace.wait(durationMs);
      span.fail(fault);
    });
    trace.wait(backoffMs);
  }
  if (failures.length === MAX_ATTEMPTS) return failures.at(-1)?.fault;
  trace.span(name, { otelKind: 3, attributes: requestAttributes(call) }, (span) => recordReply(trace, call, span));
  return undefined;
}

function recordReply(trace: TraceRecorder, call: GenAiCall, span: OpenSpan): void {
  const { random } = trace;
  const system: Message = { role: 'system', content: call.instructions };
  const usage = drawUsage(random, { ...call, messages: [system, ...call.messages] });
  const latency = drawLatency(random, call.model, usage);
  trace.wait(latency.firstTokenMs + latency.restMs);
  const reason = call.finishReason ?? (call.reply.toolCalls === undefined ? 'stop' : 'tool_call');
  span.set({
    'gen_ai.response.id': `chatcmpl-${random.token(24)}`,
    'gen_ai.response.model': call.model.name,
    'gen_ai.response.finish_reasons': [reason],
    'gen_ai.response.time_to_first_chunk': new Double(Math.round(latency.firstTokenMs) / 1000),
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens || undefined,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens || undefined,
    ...inForm(call.form, {
      'gen_ai.output.messages': [{ role: 'assistant', parts: toParts(call.reply), finish_reason: reason }],
    }),
  });
}

function requestAttributes(call: GenAiCall): AttributeMap {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': call.model.genAiProvider,
    'gen_ai.request.model': call.model.name,
    'gen_ai.request.temperature': new Double(call.temperature),
    'gen_ai.request.max_tokens': 1024,
    'gen_ai.request.stream': true,
    'gen_ai.output.type': 'text',
    'server.address': call.model.host,
    'server.port': 443,
    ...inForm(call.form, {
      'gen_ai.system_instructions': [{ type: 'text', content: call.instructions }],
      'gen_ai.input.messages': toGenAiMessages(call.messages),
      'gen_ai.tool.definitions': toToolDefinitions(call.tools),
    }),
  };
}
