/** People of a server that asks for credentials, made and signed in the way that people do it. */
import { AS_ADMIN, ASKING } from './asking-server.ts';
import { postGraphql } from './graphql.ts';

/** Settings of such a server, without their prefix: signing in is tried more often than people would. */
export const WITH_PEOPLE = { ...ASKING, DISABLE_RATE_LIMIT: 'true' };

/** Headers that prove who sends a request. */
export type Shown = Readonly<Record<string, string>>;

/** What a token is shown by. */
export const bearer = (token: string): Shown => ({ authorization: `Bearer ${token}` });

/** Somebody who signed in. */
export interface TestPerson {
  /** As clients know the account. */
  readonly id: string;
  readonly headers: Shown;
}

/** Makes an account and signs it in, after it has chosen a password of its own. */
export async function addPerson(
  url: string,
  username: string,
  role: 'ADMIN' | 'MEMBER' | 'VIEWER',
): Promise<TestPerson> {
  const email = `${username}@example.com`;
  const [initial, own] = ['initial-password', 'own-password'];
  const user = { auth_method: 'LOCAL', email, username, role, password: initial };
  const created = await sendJson(url, 'POST', '/v1/users', { user, send_welcome_email: false }, AS_ADMIN);
  if (created.status !== 201) throw new Error(`${created.status}: ${JSON.stringify(created.body)}`);
  const change = `mutation { patchViewer(input: { currentPassword: "${initial}", newPassword: "${own}" }) { user { id } } }`;
  const answer = await postGraphql(url, { query: change }, await signIn(url, email, initial));
  const { data, errors } = (await answer.json()) as {
    data?: { patchViewer: { user: { id: string } } };
    errors?: unknown;
  };
  if (data == null) throw new Error(JSON.stringify(errors));
  return { id: data.patchViewer.user.id, headers: await signIn(url, email, own) };
}

/** Signs in with a password; the headers have the cookies. */
export async function signIn(url: string, email: string, password: string): Promise<Shown> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (response.status !== 204) throw new Error(`${response.status}: ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  return { cookie: cookies.join('; ') };
}

/** What a request was answered; JSON where it is some, else text. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request with JSON, or with nothing. */
export async function sendJson(
  url: string,
  method: string,
  path: string,
  body: unknown,
  headers: Shown,
): Promise<JsonAnswer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
