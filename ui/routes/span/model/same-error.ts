/** Whether the status of a span and its exceptions tell of the same error, which is then shown once. */
import type { RecordedException } from './events.ts';

/** Whether the message says nothing that one of the exceptions does not say. */
export function isToldByExceptions(statusMessage: string, exceptions: readonly RecordedException[]): boolean {
  const said = words(statusMessage);
  return exceptions.some(({ type, message, stackTrace }) => {
    const told = words([type, type?.split('.').at(-1), message, stackTrace].join(' '));
    return said === '' || told.includes(said) || isMadeOf(said, [stackTrace, message, type, type?.split('.').at(-1)]);
  });
}

/** Whether nothing is left of it without these texts: `TimeoutError('too late')` is a type and a message. */
function isMadeOf(said: string, texts: readonly (string | undefined)[]): boolean {
  let rest = said;
  for (const text of texts) if (text !== undefined && text !== '') rest = rest.replaceAll(words(text), '');
  return !/[\p{L}\p{N}]/u.test(rest);
}

/** The message of an exception without the stack trace that some add to it, and without what follows its last line. */
export function messageAlone({ message, stackTrace }: RecordedException): string | undefined {
  if (message === undefined) return undefined;
  const stack = stackTrace?.trim() ?? '';
  const without = stack === '' ? message : message.replace(stack, '');
  return without.trimEnd() || undefined;
}

/** The line of a stack trace that says where it happened; its first and last lines say again what happened. */
export function placeOf(stackTrace: string): string | undefined {
  const lines = stackTrace.split('\n').map((line) => line.trim());
  // Python's innermost call is its last, that of others their first.
  return lines.findLast((line) => line.startsWith('File "')) ?? lines.find((line) => line.startsWith('at '));
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
