/** A program as users write it: an agent that reads documents, asks a model for tools, runs them and answers. */
import { setSession, traceAgent, traceRetriever, traceTool } from '@arizeai/openinference-core';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { getRetrieverAttributes, register } from '@arizeai/phoenix-otel';
import { context } from '@opentelemetry/api';
import OpenAI from 'openai';
import { startOpenAiServer } from './openai-server.ts';

const HANDBOOK = [
  { id: 'refunds', content: 'A parcel that is five days late is refunded.', score: 0.91, metadata: { page: 12 } },
  { id: 'tracking', content: 'Every parcel has a number of four digits.', score: 0.54, metadata: { page: 3 } },
];

const readHandbook = traceRetriever(async (_question: string) => HANDBOOK, {
  name: 'read_handbook',
  processOutput: (documents: typeof HANDBOOK) => getRetrieverAttributes({ documents }),
});

/** The second of them fails. */
const TOOLS: Readonly<Record<string, (parameters: unknown) => Promise<unknown>>> = {
  find_parcel: traceTool(async () => ({ number: '4711', place: 'Leipzig', daysLate: 6 }), { name: 'find_parcel' }),
  pay_refund: traceTool(
    async () => {
      throw new RangeError('the account 4711 has no bank');
    },
    { name: 'pay_refund' },
  ),
};

async function runTool(name: string, parameters: string): Promise<string> {
  try {
    return JSON.stringify(await TOOLS[name]?.(JSON.parse(parameters)));
  } catch (error) {
    return `error: ${(error as Error).message}`; // the model is told, and answers with what it has
  }
}

/** Records one turn of the agent, in the session `parcel 4711`, to a server. Returns when the server has all of it. */
export async function runSupportAgent(url: string, projectName: string): Promise<void> {
  await using provider = await startOpenAiServer();
  const tracing = register({ projectName, url, batch: false, global: true });
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: tracing });
  instrumentation.manuallyInstrument(OpenAI);
  const openai = new OpenAI({ apiKey: 'test', baseURL: provider.baseUrl, maxRetries: 0 });

  const answer = traceAgent(
    async (question: string) => {
      const documents = await readHandbook(question);
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        { role: 'system', content: `Answer from the handbook. ${documents.map(({ content }) => content).join(' ')}` },
        { role: 'user', content: question },
      ];
      const ask = async () => (await openai.chat.completions.create({ model: 'gpt-5-mini', messages })).choices[0];
      const asked = (await ask())?.message as OpenAI.ChatCompletionMessage;
      messages.push(asked);
      for (const call of asked.tool_calls ?? []) {
        if (call.type !== 'function') continue;
        const content = await runTool(call.function.name, call.function.arguments);
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
      return (await ask())?.message.content;
    },
    { name: 'support_agent' },
  );
  await context.with(setSession(context.active(), { sessionId: 'parcel 4711' }), () => answer('Where is my parcel?'));
  await tracing.forceFlush();
  await tracing.shutdown();
}
