/** Asking the server about an application that wants in, and telling it the answer. Each rejects with a sentence for the user. */
import { fetchInSession } from './session.ts';
import { serverConfig } from './server-config.ts';

/** What an application asks for. */
export interface ConsentRequest {
  readonly client_name: string;
  readonly is_first_party: boolean;
  readonly redirect_uri: string;
  /** Null for a scheme of the application. */
  readonly redirect_host: string | null;
  /** Whether the answer stays on this machine. */
  readonly is_local: boolean;
  readonly days: number;
  readonly username: string;
}

/** Where the server has the browser go. */
interface Redirect {
  readonly redirect_to: string;
}

/** What is asked for by the parameters of an address. */
export async function readConsentRequest(search: string): Promise<ConsentRequest | Redirect> {
  return (await answerOf(`/oauth2/authorize/request${search}`, {})) as ConsentRequest | Redirect;
}

/** Tells the answer; where to go with it. */
export async function decideConsent(search: string, isApproved: boolean): Promise<string> {
  const body = JSON.stringify({ ...Object.fromEntries(new URLSearchParams(search)), approved: isApproved });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  return ((await answerOf('/oauth2/authorize/decision', init)) as Redirect).redirect_to;
}

async function answerOf(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetchInSession(serverConfig.rootPath + path, init).catch((error: unknown) => {
    throw new Error('The server is not responding. Check that it is running, then try again.', { cause: error });
  });
  if (response.ok) return response.json();
  throw new Error(
    {
      400: 'This request is not valid: the application is unknown, or it asked to be sent to an address that it has not registered. Start again from the application.',
      403: await response.text(),
      404: 'This server lets no applications in.',
    }[response.status] ?? `The server could not do this (status ${response.status}). Try again later.`,
  );
}
