/** What goes wrong in a simulated program, as its runtime would report it. */
export interface Fault {
  readonly type: string;
  readonly message: string;
  readonly stacktrace: string;
}

/** An exception of a Python program; frames are `file:line function | source line`, outermost first. */
export function pythonFault(type: string, message: string, frames: readonly string[]): Fault {
  const lines = frames.map((frame) => {
    const [place = '', source = ''] = frame.split(' | ');
    const [file = '', func = ''] = place.split(' ');
    const [path = '', line = ''] = file.split(':');
    return `  File "${path}", line ${line}, in ${func}\n    ${source}\n`;
  });
  return { type, message, stacktrace: `Traceback (most recent call last):\n${lines.join('')}${type}: ${message}\n` };
}

/** An error of a Node program; frames are `function file:line:column`, innermost first. */
export function nodeFault(type: string, message: string, frames: readonly string[]): Fault {
  const lines = frames.map((frame) => {
    const [func = '', place = ''] = frame.split(' ');
    return `    at ${func} (${place})`;
  });
  return { type, message, stacktrace: [`${type}: ${message}`, ...lines].join('\n') };
}

export type Runtime = 'python' | 'node';

export function rateLimited(runtime: Runtime, model: string, waitSeconds: number): Fault {
  const message =
    `Error code: 429 - Rate limit reached for ${model} on tokens per min (TPM): ` +
    `Limit 2000000, Used 1991418, Requested 14210. Please try again in ${waitSeconds.toFixed(3)}s.`;
  return runtime === 'python'
    ? pythonFault('openai.RateLimitError', message, [
        '/app/assistant/loop.py:88 run_turn | reply = await client.chat.completions.create(**request)',
        '/usr/local/lib/python3.12/site-packages/openai/resources/chat/completions/completions.py:2583 create | return await self._post(',
        '/usr/local/lib/python3.12/site-packages/openai/_base_client.py:1594 request | raise self._make_status_error_from_response(err.response) from None',
      ])
    : nodeFault('RateLimitError', message, [
        'APIError.generate file:///srv/agent/node_modules/openai/core/error.mjs:63:20',
        'OpenAI.makeStatusError file:///srv/agent/node_modules/openai/client.mjs:155:32',
        'OpenAI.makeRequest file:///srv/agent/node_modules/openai/client.mjs:318:30',
        'async_runTurn file:///srv/agent/dist/loop.js:141:19',
      ]);
}

export function timedOut(runtime: Runtime, seconds: number): Fault {
  return runtime === 'python'
    ? pythonFault('openai.APITimeoutError', `Request timed out after ${seconds} s.`, [
        '/app/assistant/loop.py:88 run_turn | reply = await client.chat.completions.create(**request)',
        '/usr/local/lib/python3.12/site-packages/httpx/_transports/default.py:118 map_httpcore_exceptions | raise mapped_exc(message) from exc',
        '/usr/local/lib/python3.12/site-packages/openai/_base_client.py:1536 request | raise APITimeoutError(request=request) from err',
      ])
    : nodeFault('APIConnectionTimeoutError', `Request timed out after ${seconds} s.`, [
        'OpenAI.makeRequest file:///srv/agent/node_modules/openai/client.mjs:292:23',
        'process.processTicksAndRejections node:internal/process/task_queues:105:5',
        'async_runTurn file:///srv/agent/dist/loop.js:141:19',
      ]);
}

/** A tool's own failure, told by its message. */
export function toolFailed(runtime: Runtime, tool: string, message: string): Fault {
  return runtime === 'python'
    ? pythonFault('ToolError', message, [
        `/app/assistant/loop.py:131 call_tool | result = await TOOLS[call.name](**arguments)`,
        `/app/assistant/tools/${tool}.py:37 ${tool} | response.raise_for_status()`,
        '/usr/local/lib/python3.12/site-packages/httpx/_models.py:829 raise_for_status | raise HTTPStatusError(message, request=request, response=self)',
      ])
    : nodeFault('ToolError', message, [
        `${tool} file:///srv/agent/dist/tools/${tool.replaceAll('_', '-')}.js:52:11`,
        'process.processTicksAndRejections node:internal/process/task_queues:105:5',
        'async_callTool file:///srv/agent/dist/loop.js:198:22',
      ]);
}
