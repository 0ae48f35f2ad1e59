/** What applications may do that people let in, and what ends it. */
import { describe, expect, it } from 'vitest';
import { addPerson, bearer, sendJson, signIn, type TestPerson } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { postGraphql } from '../harness/graphql.ts';
import {
  ask,
  auditOf,
  grantOf,
  grantsOf,
  newPerson,
  postForm,
  read,
  refresh,
  request,
  server,
  url,
  useApplicationServer,
  write,
} from './applications.fixture.ts';

useApplicationServer();

describe('a grant', () => {
  it('ends after its time, and no token of it is good for longer', async () => {
    const person = await newPerson();
    const tokens = await grantOf(person);
    const [row] = await server.data.rows('SELECT max(created_at_us) AS made, max(expires_at_us) AS ends FROM sign_ins');
    expect(Number(row?.['ends']) - Number(row?.['made'])).toBe(90 * 24 * 3600 * 1e6);
    const soon = Date.now() * 1000 + 60e6;
    await server.data.change(`UPDATE sign_ins SET expires_at_us = ${soon} WHERE id = (SELECT max(id) FROM sign_ins)`);
    const renewed = await postForm('/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: 'phoenix-cli',
    });
    expect((renewed.body as unknown as { expires_in: number }).expires_in).toBeLessThanOrEqual(60);
    await server.data.change('UPDATE sign_ins SET expires_at_us = 1 WHERE id = (SELECT max(id) FROM sign_ins)');
    expect((await refresh(renewed.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await grantsOf(person)).toMatchObject({ oauth2GrantCount: 0 });
  });

  it('acts with the role that the person has now', async () => {
    const person = await newPerson('MEMBER');
    const { access_token: token } = await grantOf(person);
    expect(await write(token)).toBe(200);
    const rowId = Number(Buffer.from(person.id, 'base64').toString().split(':')[1]);
    await server.data.change(`UPDATE users SET role = 'VIEWER' WHERE id = ${rowId}`);
    await expect.poll(() => write(token)).toBe(403);
    expect(await read(token)).toBe(200);
  });

  it.each([
    ['an administrator changes the role', 'patchUser(input: { userId: "ID", newRole: VIEWER }) { user { id } }'],
    [
      'an administrator sets a password',
      'patchUser(input: { userId: "ID", newPassword: "a-new-password" }) { user { id } }',
    ],
    ['the account is deleted', 'deleteUsers(input: { userIds: ["ID"] }) { userIds }'],
  ])('ends when %s', async (_what, mutation) => {
    const person = await newPerson();
    const tokens = await grantOf(person);
    expect(await read(tokens.access_token)).toBe(200);
    expect((await ask(`mutation { ${mutation.replace('ID', person.id)} }`, AS_ADMIN)).errors).toBeUndefined();
    expect(await read(tokens.access_token)).toBe(401);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends with the password, and when the person signs out', async () => {
    const person = await addPerson(url, 'leaver', 'MEMBER');
    const first = await grantOf(person);
    const change =
      'patchViewer(input: { currentPassword: "own-password", newPassword: "another-one" }) { user { id } }';
    expect((await ask(`mutation { ${change} }`, person.headers)).errors).toBeUndefined();
    expect(await read(first.access_token)).toBe(401);
    const again = { ...person, headers: await signIn(url, 'leaver@example.com', 'another-one') };
    const second = await grantOf(again);
    await fetch(`${url}/auth/logout`, { headers: again.headers, redirect: 'manual' });
    expect(await read(second.access_token)).toBe(401);
  });

  it('for the tools of agents is good for nothing else', async () => {
    const { access_token: token } = await grantOf(await newPerson(), { resource: `${url}/mcp` });
    expect(await read(token)).toBe(401);
    expect((await postGraphql(url, { query: '{ viewer { id } }' }, bearer(token))).status).toBe(401);
  });

  it('makes no keys and lets nobody else in', async () => {
    const { access_token: token } = await grantOf(await newPerson('ADMIN'));
    for (const path of ['/v1/user/api_keys', '/v1/system/api_keys']) {
      const { status, body } = await sendJson(url, 'POST', path, { data: { name: 'k' } }, bearer(token));
      expect([status, body]).toEqual([403, 'Applications cannot create API keys']);
    }
    const query = new URLSearchParams(request());
    const asked = await sendJson(url, 'GET', `/oauth2/authorize/request?${query}`, undefined, bearer(token));
    expect(asked.status).toBe(403);
  });

  it('is seen and revoked by the person and administrators, and by nobody else', async () => {
    const [person, stranger, admin] = [await newPerson(), await newPerson(), await newPerson('ADMIN')];
    const revoke = (id: string | undefined, { headers }: Pick<TestPerson, 'headers'>) =>
      ask(`mutation { revokeOAuth2Grant(input: { id: "${id}" }) { grantId query { __typename } } }`, headers);
    const tokens = await grantOf(person);
    const id = (await grantsOf(person)).oauth2Grants[0]?.id;
    expect((await revoke(id, stranger)).errors?.[0]?.message).toBe('OAuth2 grant not found');
    expect((await ask(`{ node(id: "${id}") { id } }`, stranger.headers)).errors).toHaveLength(1);
    expect((await ask('{ oauth2Grants { id } }', stranger.headers)).errors).toHaveLength(1);
    expect(await read(tokens.access_token)).toBe(200);
    const all = (await ask('{ oauth2Grants { id } }', admin.headers)).data?.['oauth2Grants'];
    expect(all).toContainEqual({ id });
    expect((await ask(`{ node(id: "${id}") { id } }`, admin.headers)).data).toEqual({ node: { id } });
    expect((await revoke(id, admin)).data).toMatchObject({ revokeOAuth2Grant: { grantId: id } });
    expect(await read(tokens.access_token)).toBe(401);
    const others = await grantOf(person);
    expect((await revoke((await grantsOf(person)).oauth2Grants[0]?.id, person)).errors).toBeUndefined();
    expect(await read(others.access_token)).toBe(401);
    expect((await auditOf('oauth2.revoke')).at(-1)).toMatchObject({ object_type: 'OAuth2Grant' });
    expect((await auditOf('oauth2.approve')).at(-1)).toMatchObject({ object_name: 'Command line' });
  });

  it('is not ended by a token of somebody else, nor by one that is none', async () => {
    const { access_token: token } = await grantOf(await newPerson());
    for (const fields of [{ token: 'nonsense' }, { token, client_id: 'another' }, { token: '' }]) {
      expect((await postForm('/oauth2/revoke', fields)).status).toBe(200);
    }
    expect(await read(token)).toBe(200);
  });
});
