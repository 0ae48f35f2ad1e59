/** A server that lets applications in, and an application that asks it. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { addPerson, bearer, sendJson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { postGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

/** Where the command line is answered. */
export const LOOPBACK = 'http://127.0.0.1:49152/callback';
/** What an application knows its answer by. */
export const STATE = 'a-state-of-22-characters-or-more';
/** What only the application knows. */
export const VERIFIER = 'v'.repeat(43);
/** Made of {@link VERIFIER}. */
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** What an application holds. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The server of the file. */
export let server: TestServer;
/** Its address. */
export let url: string;
let number = 0;

/** Gives the tests of the file a server. */
export function useApplicationServer(): void {
  beforeAll(async () => {
    server = await startTestServer(WITH_PEOPLE);
    ({ url } = server);
  });
  afterAll(() => server[Symbol.asyncDispose]());
}

/** Somebody who signed in. */
export const newPerson = (role: 'ADMIN' | 'MEMBER' | 'VIEWER' = 'MEMBER') => addPerson(url, `person-${++number}`, role);

/** What a client asks for. */
export function request(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    response_type: 'code',
    client_id: 'phoenix-cli',
    redirect_uri: LOOPBACK,
    state: STATE,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  };
}

/** What opening the question is answered. */
export async function authorize(person: TestPerson | null, asked: Readonly<Record<string, string>> | string) {
  const response = await fetch(`${url}/oauth2/authorize?${new URLSearchParams(asked)}`, {
    redirect: 'manual',
    headers: person?.headers ?? {},
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** The answer of a person, from a page of the server unless told otherwise. */
export const decide = (
  person: TestPerson,
  body: unknown,
  headers: Readonly<Record<string, string>> = { origin: url },
) => sendJson(url, 'POST', '/oauth2/authorize/decision', body, { ...person.headers, ...headers });

/** The address that an application gets after a person said yes. */
export async function approve(person: TestPerson, more: Readonly<Record<string, string>> = {}): Promise<URL> {
  const { status, body } = await decide(person, { ...request(more), approved: true });
  expect(status, JSON.stringify(body)).toBe(200);
  return new URL((body as { redirect_to: string }).redirect_to);
}

/** The code that an application gets. */
export const codeOf = async (person: TestPerson, more?: Readonly<Record<string, string>>) =>
  (await approve(person, more)).searchParams.get('code') ?? '';

/** Sends a form. */
export async function postForm(path: string, fields: Readonly<Record<string, string>> | string) {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: (text === '' ? undefined : JSON.parse(text)) as Tokens & { readonly error?: string },
  };
}

/** Exchanges a code, as the command line does unless told otherwise. */
export const exchange = (code: string, more: Readonly<Record<string, string>> = {}) =>
  postForm('/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    client_id: 'phoenix-cli',
    redirect_uri: LOOPBACK,
    ...more,
  });

/** Renews tokens. */
export const refresh = (token: string, more: Readonly<Record<string, string>> = {}) =>
  postForm('/oauth2/token', { grant_type: 'refresh_token', refresh_token: token, client_id: 'phoenix-cli', ...more });

/** The tokens of an application that a person let in. */
export async function grantOf(person: TestPerson, more?: Readonly<Record<string, string>>): Promise<Tokens> {
  const { status, body } = await exchange(await codeOf(person, more));
  expect(status).toBe(200);
  return body;
}

/** What reading is answered. */
export const read = async (token: string) =>
  (await sendJson(url, 'GET', '/v1/projects', undefined, bearer(token))).status;
/** What creating is answered. */
export const write = async (token: string) =>
  (await sendJson(url, 'POST', '/v1/projects', { name: `made ${++number}` }, bearer(token))).status;

/** Asks GraphQL. */
export async function ask(query: string, headers: Readonly<Record<string, string>>) {
  return (await (await postGraphql(url, { query }, headers)).json()) as {
    readonly data: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { readonly message: string }[];
  };
}

/** What a person sees of grants. */
export const grantsOf = async (person: TestPerson) =>
  (
    await ask(
      '{ viewer { oauth2GrantCount oauth2Grants { id clientName isFirstParty clientId scopes lastUsedAt user { id } } } }',
      person.headers,
    )
  ).data?.['viewer'] as {
    readonly oauth2GrantCount: number;
    readonly oauth2Grants: readonly { readonly id: string }[];
  };

/** The rows of the audit log about an operation. */
export async function auditOf(operation: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return server.data.rows(`SELECT * FROM audit_events WHERE operation = '${operation}' ORDER BY id`);
}

/** Registers an application. */
export async function register(body: unknown) {
  const response = await fetch(`${url}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}
