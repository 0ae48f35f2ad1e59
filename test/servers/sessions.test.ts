/** Signing in at two servers on one PostgreSQL database; how access ends at both: `revocation.test.ts`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { addPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import { postGraphql } from '../harness/graphql.ts';
import { createTestDatabase, describePostgres, type TestDatabase } from '../harness/postgres/databases.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { urlOf } from '../harness/test-data.ts';

const PASSWORD = 'own-password';

describePostgres('two servers on one database', () => {
  let database: TestDatabase;
  let one: TestServer;
  let other: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase({ template: MIGRATED });
    const settings = { ...WITH_PEOPLE, SQL_DATABASE_URL: urlOf(database.address) };
    [one, other] = await Promise.all([startTestServer(settings), startTestServer(settings)]);
  });

  afterAll(async () => {
    await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    await database.drop();
  });

  it('count wrong passwords together, and lift a lock together', async () => {
    const { id } = await addPerson(one.url, 'locked', 'MEMBER');
    const logIn = (server: TestServer, password: string) =>
      new CookieBrowser(server.url).logIn('locked@example.com', password);
    for (const server of [one, other, one, other, one]) expect(await logIn(server, 'wrong')).toBe(401);
    expect([await logIn(one, PASSWORD), await logIn(other, PASSWORD)]).toEqual([429, 429]);
    const query = `mutation { unlockUser(input: { userId: "${id}" }) { user { isLocked } } }`;
    const unlocked = await postGraphql(other.url, { query }, { ...AS_ADMIN });
    expect(await unlocked.json()).toEqual({ data: { unlockUser: { user: { isLocked: false } } } });
    expect([await logIn(one, PASSWORD), await logIn(other, PASSWORD)]).toEqual([204, 204]);
  });

  it('make no more than five attempts, however many come to both at once', async () => {
    const guesses = Array.from({ length: 20 }, (_, place) =>
      new CookieBrowser((place % 2 === 0 ? one : other).url).logIn('guessed@example.com', 'wrong'),
    );
    expect((await Promise.all(guesses)).filter((status) => status === 401)).toHaveLength(5);
  });

  it('take a refresh token once, and end the sign-in where it is used at the other again', async () => {
    await addPerson(one.url, 'renewing', 'MEMBER');
    const browser = new CookieBrowser(one.url);
    expect(await browser.logIn('renewing@example.com', PASSWORD)).toBe(204);
    const stolen = new CookieBrowser(other.url);
    for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(204);
    expect((await browser.send('GET', '/v1/projects')).status).toBe(200);
    expect((await stolen.send('POST', '/auth/refresh')).status).toBe(401);
    await expect.poll(async () => (await browser.send('GET', '/v1/projects')).status).toBe(401);
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(401);
  });

  it('let one of them through where both are sent a refresh token at once', async () => {
    await addPerson(one.url, 'racing', 'MEMBER');
    const browser = new CookieBrowser(one.url);
    expect(await browser.logIn('racing@example.com', PASSWORD)).toBe(204);
    const pages = [one, other, one, other].map(({ url }) => {
      const page = new CookieBrowser(url);
      for (const [name, value] of browser.cookies) page.cookies.set(name, value);
      return page.send('POST', '/auth/refresh');
    });
    const statuses = (await Promise.all(pages)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 401, 401, 401]);
  });
});
