/** A program as users write it: phoenix-otel, OpenInference's instrumentation of the OpenAI package, one changed URL. */
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { createClient } from '@arizeai/phoenix-client';
import { getSessionTurns, listSessions } from '@arizeai/phoenix-client/sessions';
import { getSpans } from '@arizeai/phoenix-client/spans';
import { getTraces } from '@arizeai/phoenix-client/traces';
import { register } from '@arizeai/phoenix-otel';
import { setSession } from '@arizeai/openinference-core';
import { context } from '@opentelemetry/api';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { startAskingServer } from '../harness/asking-server.ts';
import { startOpenAiServer } from './openai-server.ts';

it('an instrumented program is recorded and read back by the public client', async () => {
  await using server = await startAskingServer();
  const { key: apiKey } = server;
  await using provider = await startOpenAiServer();
  const tracing = register({ projectName: 'parcels', url: server.url, apiKey, batch: false, global: true });
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: tracing });
  instrumentation.manuallyInstrument(OpenAI);
  const openai = new OpenAI({ apiKey: 'test', baseURL: provider.baseUrl, maxRetries: 0 });
  const ask = (content: string) =>
    openai.chat.completions.create({ model: 'gpt-5-mini', temperature: 0.5, messages: [{ role: 'user', content }] });

  await context.with(setSession(context.active(), { sessionId: 'conversation 1' }), () => ask('Where is my parcel?'));
  await expect(ask('please fail')).rejects.toThrow('429');
  await tracing.forceFlush();
  await tracing.shutdown();

  const client = createClient({ options: { baseUrl: server.url, headers: { authorization: `Bearer ${apiKey}` } } });
  const project = { projectName: 'parcels' };
  const { spans } = await getSpans({ client, project });
  const call = spans.find((span) => span.status_code === 'OK');
  expect(call).toMatchObject({ span_kind: 'LLM', name: 'OpenAI Chat Completions' });
  expect(call?.attributes).toMatchObject({
    'llm.model_name': 'gpt-5-mini-2025-08-07',
    'llm.invocation_parameters': JSON.stringify({ model: 'gpt-5-mini', temperature: 0.5 }),
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Where is my parcel?',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'find_parcel',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"number":"4711"}',
    'llm.token_count.prompt': 57,
    'llm.token_count.completion': 21,
    'llm.token_count.total': 78,
    'session.id': 'conversation 1',
  });

  const { traces } = await getTraces({ client, project, includeSpans: true });
  const recorded = traces.find((trace) => trace.trace_id === call?.context.trace_id);
  expect(recorded).toMatchObject({ token_count_prompt: 57, token_count_completion: 21, token_count_total: 78 });
  expect(recorded?.spans).toHaveLength(1);

  const sessions = await listSessions({ client, project: 'parcels' });
  expect(sessions).toMatchObject([{ sessionId: 'conversation 1', traces: [{ traceId: call?.context.trace_id }] }]);
  const turns = await getSessionTurns({ client, sessionId: 'conversation 1' });
  expect(turns).toHaveLength(1);
});
