import { probe } from './connection.ts';

/**
 * The code of a page. If it cannot be fetched while the server answers, the server has another version, and the router reloads the page once.
 * If the server does not answer, a reload would leave the browser's own error page, so the error is one that the router does not know.
 */
export async function codeOf<Code>(fetched: Promise<Code>): Promise<Code> {
  try {
    return await fetched;
  } catch (error) {
    if (await probe()) throw error;
    throw new UnreachableCodeError('The server does not respond: the code of this page could not be fetched.', {
      cause: error,
    });
  }
}

/** The server did not answer when the code of a page was fetched. */
export class UnreachableCodeError extends Error {}
