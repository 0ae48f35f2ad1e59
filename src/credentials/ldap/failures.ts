/** What goes wrong with servers of a directory. Their own texts are not kept: they may repeat what somebody typed. */

/** A server of the directory did not do its work, which says nothing about the password. The message is for the log. */
export class DirectoryFailure extends Error {
  override readonly name = 'DirectoryFailure';
}

/** The result code of what a server answered; `undefined` for what is no answer. */
export function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

/** Whether a server refused a password, rather than to decide about it. */
export function isRefusal(error: unknown): boolean {
  const code = resultCodeOf(error);
  return code !== undefined && REFUSALS.has(code);
}

/** Any failure as one that can be logged. */
export function toFailure(error: unknown): DirectoryFailure {
  if (error instanceof DirectoryFailure) return error;
  return new DirectoryFailure(describe(error));
}

/**
 * Referral, constraint violated (as of a locked entry), no such entry, invalid name, inappropriate authentication, invalid credentials,
 * insufficient access, unwilling to perform.
 * @see https://www.rfc-editor.org/rfc/rfc4511#appendix-A
 */
const REFUSALS: ReadonlySet<number> = new Set([10, 19, 32, 34, 48, 49, 50, 53]);

function describe(error: unknown): string {
  const code = resultCodeOf(error);
  if (code !== undefined) return `it answered with the result code ${code}`;
  // Of Node.js, such as ECONNREFUSED and CERT_HAS_EXPIRED.
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof Error && /timed out$/i.test(error.message)) return 'it did not answer in time';
  if (error instanceof Error && /^(?:Socket error|Connection closed)/.test(error.message))
    return 'the connection was lost';
  return error instanceof Error ? error.name : 'unknown';
}
