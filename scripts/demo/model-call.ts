import type { AssistantMessage, JsonObject, Message, ToolDefinition } from './conversation.ts';
import { drawFailedAttempts, drawLatency, drawUsage, type FaultOdds, MAX_ATTEMPTS } from './generation.ts';
import type { Model } from './models.ts';
import type { Fault, Runtime } from './faults.ts';
import { inputOutput, messageAttributes, offeredTools, reportedCost, tokenCounts } from './openinference.ts';
import type { AttributeMap, Scope } from './otlp.ts';
import type { TraceRecorder } from './trace.ts';

/** One call of a chat model, recorded as an OpenInference instrumentation would. */
export interface ModelCall {
  readonly spanName: string;
  readonly scope: Scope;
  readonly runtime: Runtime;
  readonly model: Model;
  readonly messages: readonly Message[];
  readonly reply: AssistantMessage;
  readonly tools?: readonly ToolDefinition[];
  readonly parameters?: JsonObject;
  /** How many of the messages an earlier call sent already. */
  readonly knownCount?: number;
  readonly odds?: FaultOdds;
  readonly isStreaming?: boolean;
  readonly hasReportedCost?: boolean;
  readonly attributes?: AttributeMap;
}

const NO_FAULTS: FaultOdds = { rateLimit: 0, timeout: 0 };

/** Records the attempts and, unless all fail, the reply. Returns the last fault when the client gave up. */
export function callModel(trace: TraceRecorder, call: ModelCall): Fault | undefined {
  const { model, random } = { model: call.model, random: trace.random };
  const failures = drawFailedAttempts(random, model, call.runtime, call.odds ?? NO_FAULTS);
  for (const { fault, durationMs, backoffMs } of failures) {
    trace.span(call.spanName, spanOptions(call), (span) => {
      trace.wait(durationMs);
      span.fail(fault);
    });
    trace.wait(backoffMs);
  }
  if (failures.length === MAX_ATTEMPTS) return failures.at(-1)?.fault;
  trace.span(call.spanName, spanOptions(call), (span) => {
    const usage = drawUsage(random, { tools: [], knownCount: 0, ...call });
    const latency = drawLatency(random, model, usage);
    trace.wait(latency.firstTokenMs);
    if (call.isStreaming) span.event('First Token Stream Event');
    trace.wait(latency.restMs);
    span.set({
      ...messageAttributes('output', [call.reply]),
      ...tokenCounts(usage),
      ...(call.hasReportedCost ? reportedCost(model, usage) : {}),
      'llm.finish_reason': finishReason(call),
      ...inputOutput({
        output: call.reply.toolCalls === undefined ? call.reply.content : replyJson(call.reply),
      }),
    });
  });
  return undefined;
}

function spanOptions(call: ModelCall) {
  const { model } = call;
  const last = call.messages.at(-1);
  return {
    kind: 'LLM',
    scope: call.scope,
    otelKind: 3,
    attributes: {
      'llm.provider': model.provider,
      'llm.system': model.system,
      'llm.model_name': model.name,
      'llm.invocation_parameters': JSON.stringify({
        model: model.name,
        ...call.parameters,
        ...(call.isStreaming ? { stream: true, stream_options: { include_usage: true } } : {}),
      }),
      ...inputOutput({ input: last?.content ?? '' }),
      ...messageAttributes('input', call.messages),
      ...offeredTools(call.tools ?? [], model.provider),
      ...call.attributes,
    },
  } as const;
}

function finishReason({ model, reply }: ModelCall): string {
  const isAnthropic = model.provider === 'anthropic';
  if (reply.toolCalls !== undefined) return isAnthropic ? 'tool_use' : 'tool_calls';
  return isAnthropic ? 'end_turn' : 'stop';
}

function replyJson(reply: AssistantMessage): JsonObject {
  return {
    role: 'assistant',
    content: reply.content === '' ? null : reply.content,
    tool_calls: (reply.toolCalls ?? []).map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  };
}
