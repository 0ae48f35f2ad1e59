import { existsSync } from 'node:fs';
import { AppError } from '#base/errors';
import { loadConfig } from '#config/load';
import type { Flags } from '#config/read-environment';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { formatReading } from './explain/format-reading.ts';
import { readFiles } from './explain/read-files.ts';
import { findStoredSpan } from './explain/stored-span.ts';
import type { Explanation } from './explain/explanation.ts';
import { formatJson } from './json-output.ts';
import { formatProblems } from './problems.ts';

/**
 * Explains how the spans of export requests in files are read, or a stored span, and prints it.
 * @param targets files, which are read together, or one span id
 */
export async function runExplain(
  targets: readonly string[],
  flags: Flags,
  options: { readonly isJson: boolean },
): Promise<ExitCode> {
  const [first = ''] = targets;
  if (targets.length > 1 || existsSync(first)) {
    print(readFiles(targets), options);
    return EXIT_CODES.ok;
  }
  const spanId = first.toLowerCase();
  if (!SPAN_ID.test(spanId)) {
    throw new AppError('invalid_argument', describeTarget(first));
  }
  const { config, problems } = loadConfig(flags);
  if (config === null) {
    process.stderr.write(formatProblems(problems));
    return EXIT_CODES.usage;
  }
  print(await findStoredSpan(config, spanId), options);
  return EXIT_CODES.ok;
}

const SPAN_ID = /^[0-9a-f]{16}$/;
const TRACE_ID = /^[0-9a-f]{32}$/i;

/** What to do about a target that is no file and no span id. */
function describeTarget(target: string): string {
  if (TRACE_ID.test(target)) {
    return `${target} is a trace id: give the id of one of its spans, 16 hexadecimal digits. The server lists them at /v1/projects/<project>/spans?trace_id=${target.toLowerCase()}, and the page of the trace shows them.`;
  }
  if (/[/\\.]/.test(target)) return `There is no file ${target}.`;
  return `${target} is neither a file nor a span id: give a file that holds an export request, or 16 hexadecimal digits.`;
}

function print(explanation: Explanation, { isJson }: { readonly isJson: boolean }): void {
  const { spans, remarks } = explanation;
  if (isJson) {
    process.stdout.write(formatJson({ spans, remarks }));
    return;
  }
  for (const span of spans) process.stdout.write(`${formatReading(span)}\n`);
  for (const remark of remarks) process.stdout.write(`${remark}\n`);
}
