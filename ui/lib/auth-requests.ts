/** Signing in and setting passwords, over the routes that need no session. Each rejects with a sentence for the user. */
import { describeRetryAfter } from './retry-after.ts';
import { serverConfig } from './server-config.ts';

/** Starts a session. */
export async function signIn(email: string, password: string): Promise<void> {
  const response = await post('login', { email: email.trim(), password });
  if (response.ok) return;
  throw new Error(
    {
      401: 'The email address or the password is wrong.',
      403: 'Signing in with a password is turned off on this server. Ask an administrator.',
    }[response.status] ?? describeFailure(response),
  );
}

/** Starts a session with the name and the password of a directory. */
export async function signInByDirectory(username: string, password: string): Promise<void> {
  const response = await post('ldap/login', { username: username.trim(), password });
  if (response.ok) return;
  throw new Error(
    {
      401: 'The username or the password is wrong, or you have no access to this server.',
      503: 'The directory does not answer, so you cannot sign in with it now. Try again later.',
    }[response.status] ?? describeFailure(response),
  );
}

/** Has a link sent that sets a new password, if there is such an account; nobody is told whether there is. */
export async function requestPasswordReset(email: string): Promise<void> {
  const response = await post('password-reset-email', { email: email.trim() });
  if (response.ok) return;
  throw new Error(
    {
      403: 'Passwords are turned off on this server. Ask an administrator.',
      422: 'Enter the email address of your account.',
      503: 'This server cannot send mail. Ask an administrator to set a new password for you.',
    }[response.status] ?? describeFailure(response),
  );
}

/** Sets a new password with the token of a mailed link. */
export async function resetPassword(token: string, password: string): Promise<void> {
  const response = await post('password-reset', { token, password });
  if (response.ok) return;
  // Which rule of the password policy was broken.
  if (response.status === 422) throw new Error(await response.text());
  throw new Error(
    {
      401: 'This link has expired or has already been used. Request a new one.',
      403: 'Passwords are turned off on this server. Ask an administrator.',
    }[response.status] ?? describeFailure(response),
  );
}

async function post(route: string, body: object): Promise<Response> {
  try {
    return await fetch(`${serverConfig.rootPath}/auth/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch (error) {
    throw new Error('The server is not responding. Check that it is running, then try again.', { cause: error });
  }
}

function describeFailure({ status, headers }: Response): string {
  if (status === 429)
    return `Too many attempts. Try again ${describeRetryAfter(headers.get('retry-after'), Date.now())}.`;
  return `The server could not do this (status ${status}). Try again later.`;
}
