import type { OperationResult } from '#api/graphql/operation';

/** A result as JSON. One of which the text would be longer than texts can be says so: NUL takes six characters for one. */
export function resultText(result: OperationResult): string {
  try {
    return JSON.stringify(result);
  } catch (error) {
    if (error instanceof RangeError) return TOO_LONG;
    throw error;
  }
}

const TOO_LONG = JSON.stringify({
  errors: [{ message: 'The response is too long. Ask for fewer texts.', extensions: { code: 'invalid_argument' } }],
} satisfies OperationResult);
