/** Credentials that the server has accepted, until something ended them. */
import { formatGlobalId } from '#base/global-id';
import { ADMIN_SECRET, bearer, cookie, type Credentials, nobodies, type Principal } from './credentials.ts';

/** Callers whom a server has known, and who are nobody any more. */
export async function createRevoked(url: string, credentials: Credentials): Promise<readonly Principal[]> {
  const send = async (method: string, path: string, headers: Headers = ADMIN, body?: object): Promise<void> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...type },
      redirect: 'manual',
      ...json,
    });
    const text = await response.text();
    if (response.status >= 400 || text.includes('"errors"')) throw new Error(`${method} ${path}: ${text}`);
  };
  const use = (...callers: readonly Headers[]) =>
    Promise.all(callers.map((headers) => send('GET', '/v1/user', headers)));

  const [fired, leaving, renewing, promoted] = [1101, 1102, 1103, 1104];
  for (const id of [fired, leaving, renewing, promoted]) await credentials.addAccount(id, `revoked ${id}`, 'ADMIN');
  const ofSystem = await credentials.addKey(null);
  const ofPerson = await credentials.addKey(promoted);
  const firedKey = await credentials.addKey(fired);
  const sessions = {
    fired: await credentials.signIn(fired),
    leaving: await credentials.signIn(leaving),
    renewing: await credentials.signIn(renewing),
    promoted: await credentials.signIn(promoted),
  };
  await use(...[ofSystem, ofPerson, firedKey].map(({ text }) => bearer(text)));
  await use(...Object.values(sessions).flatMap(({ access }) => [bearer(access), cookie(access)]));

  await send('DELETE', `/v1/system/api_keys/${formatGlobalId('SystemApiKey', ofSystem.id)}`);
  await send('DELETE', `/v1/user/api_keys/${formatGlobalId('UserApiKey', ofPerson.id)}`);
  await send('DELETE', `/v1/users/${formatGlobalId('User', fired)}`);
  await send('GET', '/auth/logout', cookie(sessions.leaving.access));
  await send('POST', '/auth/refresh', { cookie: `phoenix-refresh-token=${sessions.renewing.refresh}` });
  const query = `mutation { patchUser(input: { userId: "${formatGlobalId('User', promoted)}", newRole: MEMBER }) { __typename } }`;
  await send('POST', '/graphql', ADMIN, { query });

  return nobodies('revoked', {
    'a key of the system that was deleted': bearer(ofSystem.text),
    'a key of a person that was deleted': bearer(ofPerson.text),
    'a key of an account that was deleted': bearer(firedKey.text),
    'the cookie of an account that was deleted': cookie(sessions.fired.access),
    'the cookie of somebody who signed out': cookie(sessions.leaving.access),
    'the access token of somebody who signed out': bearer(sessions.leaving.access),
    'an access token that was renewed': bearer(sessions.renewing.access),
    'the cookie of an account with another role since': cookie(sessions.promoted.access),
  });
}

type Headers = Readonly<Record<string, string>>;

const ADMIN = bearer(ADMIN_SECRET);
