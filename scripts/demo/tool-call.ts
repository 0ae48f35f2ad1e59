import type { Message, ToolDefinition } from './conversation.ts';
import { type Runtime, toolFailed } from './faults.ts';
import type { IssuedCall } from './generation.ts';
import { inputOutput } from './openinference.ts';
import type { TraceRecorder } from './trace.ts';

/** Records a call of a tool as OpenInference instrumentations do, and returns what the model is told of it. */
export function recordTool(
  trace: TraceRecorder,
  options: IssuedCall & {
    readonly runtime: Runtime;
    readonly tools: readonly ToolDefinition[];
    readonly durationMs: number;
  },
): Message {
  const { call, result, failure, runtime, tools, durationMs } = options;
  const definition = tools.find((tool) => tool.name === call.name);
  const attributes = {
    'tool.name': call.name,
    'tool.id': call.id,
    'tool.description': definition?.description,
    'tool.parameters': JSON.stringify(call.arguments),
    'tool.json_schema': JSON.stringify(definition?.parameters),
    ...inputOutput({ input: call.arguments }),
  };
  trace.span(call.name, { kind: 'TOOL', attributes }, (span) => {
    trace.wait(durationMs);
    if (failure === undefined) span.set(inputOutput({ output: result }));
    else span.fail(toolFailed(runtime, call.name, failure));
  });
  const answer = typeof result === 'string' ? result : JSON.stringify(result);
  const content = failure === undefined ? answer : `Error: ${failure}`;
  return { role: 'tool', toolCallId: call.id, name: call.name, content };
}
