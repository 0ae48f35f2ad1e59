/** What went wrong, as a sentence for people. */
export function describeError(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message;
  return typeof error === 'string' && error !== '' ? error : 'The cause is unknown.';
}
