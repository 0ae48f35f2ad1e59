/** An OpenAI-compatible server with fixed answers, for instrumented programs to call. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server answers a question with. */
const CALLS = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'gpt-5-mini-2025-08-07',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: 'I look it up.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'find_parcel', arguments: '{"number":"4711"}' } },
          { id: 'call_2', type: 'function', function: { name: 'pay_refund', arguments: '{"number":"4711"}' } },
        ],
      },
    },
  ],
  usage: {
    prompt_tokens: 57,
    completion_tokens: 21,
    total_tokens: 78,
    prompt_tokens_details: { cached_tokens: 32 },
    completion_tokens_details: { reasoning_tokens: 8 },
  },
};

/** What it answers results of tools with. */
const ANSWER = {
  ...CALLS,
  id: 'chatcmpl-2',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'It is in **Leipzig**. The refund could not be paid.' },
    },
  ],
};

/** A running server. */
export interface OpenAiServer extends AsyncDisposable {
  readonly baseUrl: string;
}

/** Starts the server on a free port; a question that says `please fail` is refused with 429. */
export async function startOpenAiServer(): Promise<OpenAiServer> {
  const server = createServer();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(Buffer.concat(chunks).toString(), response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(question: string, response: ServerResponse): void {
  const isRefused = question.includes('please fail');
  response.writeHead(isRefused ? 429 : 200, { 'content-type': 'application/json' });
  const chosen = question.includes('"role":"tool"') ? ANSWER : CALLS;
  response.end(JSON.stringify(isRefused ? { error: { message: 'Too many requests', type: 'rate_limit' } } : chosen));
}
