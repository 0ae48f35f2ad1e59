import { fill, readContent } from './content.ts';

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

/** What the libraries of a runtime raise, and from where. */
interface Raised {
  readonly type: string;
  readonly frames: readonly string[];
}

const FAULTS =
  readContent<Readonly<Record<Runtime, Readonly<Record<'rateLimited' | 'timedOut' | 'toolFailed', Raised>>>>>('faults');

export function rateLimited(runtime: Runtime, model: string, waitSeconds: number): Fault {
  return raise(
    runtime,
    FAULTS[runtime].rateLimited,
    `Error code: 429 - Rate limit reached for ${model} on tokens per min (TPM): ` +
      `Limit 2000000, Used 1991418, Requested 14210. Please try again in ${waitSeconds.toFixed(3)}s.`,
  );
}

export function timedOut(runtime: Runtime, seconds: number): Fault {
  return raise(runtime, FAULTS[runtime].timedOut, `Request timed out after ${seconds} s.`);
}

/** A tool's own failure, told by its message. */
export function toolFailed(runtime: Runtime, tool: string, message: string): Fault {
  const facts = { tool, file: tool.replaceAll('_', '-') };
  return raise(runtime, fill(FAULTS[runtime].toolFailed, facts), message);
}

function raise(runtime: Runtime, { type, frames }: Raised, message: string): Fault {
  return runtime === 'python' ? pythonFault(type, message, frames) : nodeFault(type, message, frames);
}
