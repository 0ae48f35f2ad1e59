import { type JsonValue, type ScriptedCall, type ToolDefinition, toolParameters } from '../conversation.ts';

/** What the agent says to itself and the calls that it then makes at once. */
export interface CodingStep {
  readonly thought: string;
  readonly calls: readonly ScriptedCall[];
}

export interface CodingTurn {
  readonly request: string;
  readonly steps: readonly CodingStep[];
  readonly answer: string;
}

/** One task in one repository, worked on in one or more turns. */
export interface CodingTask {
  readonly repository: string;
  readonly language: string;
  readonly issue: string;
  readonly turns: readonly CodingTurn[];
}

export const CODING_INSTRUCTIONS = `You are Patchwork, a coding agent in a sandbox with a checkout of {repository} ({language}).
- Read before you write. Make the smallest change that solves the problem; follow the style of the file.
- Run the tests that cover your change, and show the command you ran.
- Never commit secrets, never push, never edit files outside the checkout.
- When you are done, say in a few sentences what was wrong, what you changed, and how you know that it works.`;

const PATH = { type: 'string', description: 'Path inside the checkout' };

export const CODING_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    description: 'Read a text file, optionally a range of lines.',
    parameters: toolParameters(
      { path: PATH, from_line: { type: 'integer' }, to_line: { type: 'integer' } },
      'from_line',
      'to_line',
    ),
  },
  {
    name: 'search_code',
    description: 'Search with a regular expression; returns file, line and text.',
    parameters: toolParameters({ pattern: { type: 'string' }, path: PATH }, 'path'),
  },
  {
    name: 'edit_file',
    description: 'Replace one exact piece of text, which must occur once.',
    parameters: toolParameters({ path: PATH, old_text: { type: 'string' }, new_text: { type: 'string' } }),
  },
  {
    name: 'write_file',
    description: 'Create a file or replace its content.',
    parameters: toolParameters({ path: PATH, content: { type: 'string' } }),
  },
  {
    name: 'run_command',
    description: 'Run a shell command in the checkout, at most 120 seconds.',
    parameters: toolParameters(
      { command: { type: 'string' }, timeout_s: { type: 'integer', default: 120 } },
      'timeout_s',
    ),
  },
];

export function step(thought: string, ...calls: readonly ScriptedCall[]): CodingStep {
  return { thought, calls };
}

export function read(path: string, content: string): ScriptedCall {
  return { tool: 'read_file', arguments: { path }, result: content };
}

export function search(pattern: string, ...hits: readonly string[]): ScriptedCall {
  return { tool: 'search_code', arguments: { pattern }, result: hits };
}

export function edit(path: string, oldText: string, newText: string): ScriptedCall {
  const changedLines = Math.max(oldText.split('\n').length, newText.split('\n').length);
  return {
    tool: 'edit_file',
    arguments: { path, old_text: oldText, new_text: newText },
    result: { path, replaced: 1, changed_lines: changedLines },
  };
}

export function write(path: string, content: string): ScriptedCall {
  return { tool: 'write_file', arguments: { path, content }, result: { path, bytes: Buffer.byteLength(content) } };
}

export function run(command: string, exitCode: number, output: string): ScriptedCall {
  const result: JsonValue = { exit_code: exitCode, output };
  return { tool: 'run_command', arguments: { command }, result };
}

/** A call that the tool refuses or does not survive. */
export function failing(call: ScriptedCall, failure: string): ScriptedCall {
  return { ...call, result: null, failure };
}
