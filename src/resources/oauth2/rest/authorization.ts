/** What an application asks a person for, and whether it may. */
import { z } from 'zod';
import type { ApplicationsConfig } from '#config/applications';
import type { Authorization } from '#domain/application';
import type { Caller } from '#domain/caller';
import {
  hostOfRedirect,
  isRegisteredRedirect,
  MAX_REDIRECT_LENGTH,
  redirectKindOf,
  redirectWith,
} from '#domain/redirect-uri';
import { findApplication } from '../queries.ts';
import { type Oauth2Parts, OauthError, readAudience } from './parts.ts';

/** The parameters by name, with the most characters that each may have. */
const LONGEST = {
  response_type: 100,
  client_id: 200,
  redirect_uri: MAX_REDIRECT_LENGTH,
  state: 1024,
  code_challenge: 128,
  code_challenge_method: 20,
  resource: 2048,
  scope: 2048,
} as const;

type Parameter = keyof typeof LONGEST;

const PARAMETERS = Object.keys(LONGEST) as readonly Parameter[];

/** The parameters of a request, as far as they are given. */
export type Asked = { readonly [Name in Parameter]?: string | undefined };

/** In a body. */
export const ASKED_FIELDS = mapParameters((longest) => z.string().max(longest).nullish());

/** In a query, where each may stand several times. */
export const ASKED_LISTS = mapParameters((longest) => z.array(z.string().max(longest)).max(10).optional());

/** A request, and the address that its answer goes to. */
export interface CheckedRequest extends Authorization {
  readonly state: string;
}

/** A fault that the application is told of, by way of the person's browser. */
export class RequestFault extends OauthError {
  readonly redirectUri: string;
  readonly state: string | undefined;

  constructor(
    error: string,
    description: string,
    { redirectUri, state }: { redirectUri: string; state: string | undefined },
  ) {
    super(error, description);
    this.redirectUri = redirectUri;
    this.state = state;
  }
}

/** An address that no browser is sent to. */
export class InvalidRedirect extends Error {
  override readonly name = 'InvalidRedirect';

  constructor() {
    super('Invalid redirect URI');
  }
}

/** What stands in a query. @throws RequestFault, InvalidRedirect */
export async function checkQuery(
  parts: Oauth2Parts,
  caller: Caller,
  issuer: string,
  given: { readonly [Name in Parameter]?: readonly string[] | undefined },
): Promise<CheckedRequest> {
  const asked = Object.fromEntries(PARAMETERS.map((name) => [name, given[name]?.[0]])) as Asked;
  const repeated = PARAMETERS.find((name) => (given[name]?.length ?? 0) > 1);
  // An address or an application of which there are two is none.
  if (repeated === 'redirect_uri' || repeated === 'client_id') throw new InvalidRedirect();
  return checkRequest(parts, caller, issuer, asked, repeated);
}

/** @throws RequestFault, InvalidRedirect */
export async function checkRequest(
  { auth, readPrimary }: Oauth2Parts,
  caller: Caller,
  issuer: string,
  asked: Asked,
  repeated?: Parameter,
): Promise<CheckedRequest> {
  const { redirect_uri: redirectUri = '', state, code_challenge: challenge = '' } = asked;
  const application = await findApplication(readPrimary(caller).db, asked.client_id ?? '');
  if (application === undefined || !isRegisteredRedirect(redirectUri, application.redirectUris))
    throw new InvalidRedirect();
  if (!isAllowedRedirect(redirectUri, auth.config.applications)) throw new InvalidRedirect();
  const back = { redirectUri, state };
  const fail = (error: string, description: string) => new RequestFault(error, description, back);
  if (repeated !== undefined) throw fail('invalid_request', `${repeated} stands there twice.`);
  if (state === undefined || state.length < MIN_STATE) {
    throw fail('invalid_request', `state needs at least ${MIN_STATE} random characters.`);
  }
  if (asked.response_type !== 'code') throw fail('unsupported_response_type', 'response_type must be code.');
  if (asked.code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw fail('invalid_request', 'code_challenge is required, with code_challenge_method=S256.');
  }
  try {
    const audience = readAudience(asked.resource, issuer) ?? 'server';
    return { application, redirectUri, challenge, audience, state };
  } catch (error) {
    throw error instanceof OauthError ? fail(error.error, error.message) : error;
  }
}

/** Whether the settings let people be sent there. Of a request they are asked again: they may be stricter than they were. */
export function isAllowedRedirect(
  redirectUri: string,
  { redirectHosts, registration }: Pick<ApplicationsConfig, 'redirectHosts' | 'registration'>,
): boolean {
  if (redirectKindOf(redirectUri) !== 'https') return true;
  if (registration === 'local_only') return false;
  return redirectHosts === null || redirectHosts.includes(hostOfRedirect(redirectUri) ?? '');
}

/** Where a person is sent with the answer, which names the server that gives it. */
export function addressOfAnswer(
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | undefined },
  issuer: string,
  answer: { readonly code: string } | { readonly error: string; readonly error_description?: string },
): string {
  return redirectWith(redirectUri, { ...answer, state, iss: issuer });
}

/** The parameters as a query. */
export function formatAsked(given: { readonly [Name in Parameter]?: readonly string[] | undefined }): string {
  const query = new URLSearchParams();
  for (const name of PARAMETERS) for (const value of given[name] ?? []) query.append(name, value);
  return query.toString();
}

/** 128 bits in base64url. */
const MIN_STATE = 22;

function mapParameters<Schema>(make: (longest: number) => Schema): Record<Parameter, Schema> {
  return Object.fromEntries(PARAMETERS.map((name) => [name, make(LONGEST[name])])) as Record<Parameter, Schema>;
}
