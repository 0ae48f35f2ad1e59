/** What came of an operation, in the words of the table. */
import type { Column } from './declared.ts';

/** See {@link Outcome}. */
export type Verdict =
  /** It did what it was asked. */
  | 'allowed'
  /** 401, or UNAUTHENTICATED, with what is told to everybody who is not known. */
  | 'unknown caller'
  /** 403, or PERMISSION_DENIED, with what is told to everybody who may not. */
  | 'refused'
  /** Answered as if there were no such thing. */
  | 'hidden'
  /** Anything else, which is wrong for everybody. */
  | 'failed';

/** What came of an operation, and what was said. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly said: string;
}

/** The verdict that the table demands. */
export function expectedVerdict(operation: string, column: Column, mayDo: boolean): Verdict {
  if (mayDo) return 'allowed';
  if (column === 'none') return 'unknown caller';
  return HIDDEN[operation]?.includes(column) === true ? 'hidden' : 'refused';
}

/** For whom there is no such thing. */
const HIDDEN: Readonly<Record<string, readonly Column[]>> = {
  // The list has what the key reaches.
  'GET /v1/projects': ['other project'],
  'POST /auth/login': ['off'],
  'POST /auth/ldap/login': ['off'],
  'POST /auth/refresh': ['off'],
  'GET /auth/logout': ['off'],
  'POST /auth/password-reset-email': ['off'],
  'POST /auth/password-reset': ['off'],
  'GET /oauth2/{idp}/login': ['off'],
  'POST /oauth2/{idp}/login': ['off'],
  'GET /oauth2/{idp}/tokens': ['off'],
  'GET /.well-known/oauth-authorization-server': ['off'],
  'GET /.well-known/openid-configuration': ['off'],
  'GET /oauth2/authorize': ['off'],
  'POST /oauth2/token': ['off'],
  'POST /oauth2/revoke': ['off'],
  'POST /oauth2/register': ['off'],
};

/** What callers are told who are not known. */
const UNKNOWN_CALLER =
  /^(?:You are not authenticated: send an API key as `Authorization: Bearer <key>`, with Bearer before the key, or sign in\.|(?:Invalid|Expired) token: you are not authenticated\. Send another API key, or sign in\.)$/;

/** What callers are told who may not. */
const REFUSED = new RegExp(
  `^(?:${[
    'Only admin can perform this action',
    'Viewers cannot perform this action',
    'Choose a new password first: .+',
    'This key is limited to .+',
    'A limited key cannot perform this action\\.',
    'Authentication is off: .+',
    'API keys cannot create API keys',
    'Only people who signed in can create personal API keys',
    'Only people who signed in can let applications in\\.',
    'System API keys cannot revoke the applications of people',
    'System API keys cannot delete the keys of people',
    'Only people have a profile to change\\.',
    'Only people who signed in have a default view of their own\\.',
    'You are not authorized to see this of another user\\.',
  ].join('|')})$`,
);

/** A refusal, by what it says; `undefined` for anything else. */
export function verdictOfText(said: string): 'unknown caller' | 'refused' | undefined {
  if (UNKNOWN_CALLER.test(said)) return 'unknown caller';
  return REFUSED.test(said) ? 'refused' : undefined;
}
