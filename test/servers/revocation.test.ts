/** What ends somebody's access on one of two servers on a database ends it on the other one within a second. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { frameMessage } from '#server/otlp-grpc/framing';
import { addPerson, bearer, sendJson, type Shown, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { type GraphqlAnswer, postGraphql, readEvents } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { describePostgres } from '../harness/postgres/databases.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { createPostgresData, type TestData } from '../harness/test-data.ts';
import { cookie, Credentials } from '../server/access/credentials.ts';
import { GrpcCaller } from '../server/callers.fixture.ts';

/** A member, in a browser and with a program. */
interface Member {
  readonly rowId: number;
  readonly id: string;
  readonly session: Shown;
  readonly refresh: string;
  readonly key: Shown;
  readonly keyId: string;
}

/** What a member is answered who sends nothing, and everybody else. */
const [KNOWN, VIEWER, NOBODY] = [422, 403, 401];

/** How the access of a member ends on the first server, and what the session and the key are good for on the second one then. */
interface Ending {
  readonly what: string;
  readonly end: (member: Member) => Promise<number>;
  readonly session: number;
  readonly key: number;
}

describePostgres('access that ends on one of two servers on a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-revocation-'));
  let data: TestData;
  let credentials: Credentials;
  let first: ServerProcess;
  let second: TestServer;
  let grpc: GrpcCaller;

  beforeAll(async () => {
    data = await createPostgresData();
    credentials = new Credentials(data);
    const settings = { ...WITH_PEOPLE, ...data.settings };
    first = await startServerProcess(folder, settings);
    second = await startTestServer(settings);
    grpc = new GrpcCaller(second.grpcAddress);
    await exportAll(second.url, traceRequest([{ traceId: traceId(1), spanId: spanId(1) }]), { ...AS_ADMIN });
  });

  afterAll(async () => {
    await grpc[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    first.child.kill('SIGKILL');
    await data.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  let accounts = 1000;

  async function addMember(): Promise<Member> {
    const rowId = ++accounts;
    await credentials.addAccount(rowId, `member ${rowId}`, 'MEMBER');
    const { access, refresh } = await credentials.signIn(rowId);
    const key = await credentials.addKey(rowId);
    return {
      rowId,
      id: formatGlobalId('User', rowId),
      session: cookie(access),
      refresh,
      key: bearer(key.text),
      keyId: formatGlobalId('UserApiKey', key.id),
    };
  }

  /** The status of a request that members may send, without what it needs. */
  async function status({ url }: Pick<TestServer, 'url'>, shown: Shown): Promise<number> {
    return (await sendJson(url, 'POST', '/v1/projects', {}, shown)).status;
  }

  /** Of a request to the first server. */
  async function ask(method: string, path: string, shown: Shown, body?: unknown): Promise<number> {
    const headers = { ...shown, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${first.url}${path}`, { ...sent, redirect: 'manual' });
    const text = await response.text();
    if (text.includes('"errors"')) throw new Error(text);
    return response.status;
  }

  const change = (shown: Shown, mutation: string) =>
    ask('POST', '/graphql', shown, { query: `mutation { ${mutation} { __typename } }` });

  /** Asks the second server all the time, which so knows its callers, until the moment at which it must have heard. */
  async function untilHeard(...shown: readonly Shown[]): Promise<void> {
    const endedAt = performance.now();
    while (performance.now() - endedAt < 1000) {
      await Promise.all(shown.map((one) => status(second, one)));
      await setTimeout(20);
    }
  }

  it.concurrent.each<Ending>([
    {
      what: 'by deleting a key',
      end: ({ session, keyId }) => ask('DELETE', `/v1/user/api_keys/${keyId}`, session),
      session: KNOWN,
      key: NOBODY,
    },
    {
      what: 'by deleting the account over REST',
      end: ({ id }) => ask('DELETE', `/v1/users/${id}`, AS_ADMIN),
      session: NOBODY,
      key: NOBODY,
    },
    {
      what: 'by deleting the account over GraphQL',
      end: ({ id }) => change(AS_ADMIN, `deleteUsers(input: { userIds: ["${id}"] })`),
      session: NOBODY,
      key: NOBODY,
    },
    {
      what: 'by another role',
      end: ({ id }) => change(AS_ADMIN, `patchUser(input: { userId: "${id}", newRole: VIEWER })`),
      session: NOBODY,
      key: VIEWER,
    },
    {
      what: 'by a password that an administrator sets',
      end: ({ id }) => change(AS_ADMIN, `patchUser(input: { userId: "${id}", newPassword: "set-by-admin" })`),
      session: NOBODY,
      key: KNOWN,
    },
    {
      what: 'by a password that is chosen by mail',
      end: async ({ rowId }) => {
        const token = await credentials.addResetToken(rowId);
        return ask('POST', '/auth/password-reset', {}, { token, password: 'chosen-by-mail' });
      },
      session: NOBODY,
      key: KNOWN,
    },
    {
      what: 'by signing out',
      end: ({ session }) => ask('GET', '/auth/logout', session),
      session: NOBODY,
      key: KNOWN,
    },
    {
      what: 'by renewing the tokens',
      end: ({ refresh }) => ask('POST', '/auth/refresh', { cookie: `phoenix-refresh-token=${refresh}` }),
      session: NOBODY,
      key: KNOWN,
    },
  ])('$what', async ({ end, session, key }) => {
    const member = await addMember();
    for (const server of [first, second]) {
      expect([await status(server, member.session), await status(server, member.key)]).toEqual([KNOWN, KNOWN]);
    }
    expect(await end(member)).toBeLessThan(400);
    // At once where it was ended.
    expect([await status(first, member.session), await status(first, member.key)]).toEqual([session, key]);
    await untilHeard(member.session, member.key);
    expect([await status(second, member.session), await status(second, member.key)]).toEqual([session, key]);
  });

  it.concurrent.each<{
    readonly what: string;
    readonly end: (grant: { token: string; id: string; session: Shown }) => Promise<number>;
  }>([
    {
      what: 'by revoking an application',
      end: ({ id, session }) => change(session, `revokeOAuth2Grant(input: { id: "${id}" })`),
    },
    {
      what: 'by an application that gives up its token',
      end: async ({ token }) => {
        const response = await fetch(`${first.url}/oauth2/revoke`, {
          method: 'POST',
          body: new URLSearchParams({ token }),
        });
        return response.status;
      },
    },
  ])('$what', async ({ end }) => {
    const { rowId, session } = await addMember();
    const grant = await credentials.addGrant(rowId);
    const application = bearer(grant.access);
    for (const server of [first, second]) expect(await status(server, application)).toBe(KNOWN);
    expect(await end({ token: grant.access, id: formatGlobalId('OAuth2Grant', grant.id), session })).toBe(200);
    expect(await status(first, application)).toBe(NOBODY);
    await untilHeard(application);
    expect([await status(second, application), await status(second, session)]).toEqual([NOBODY, KNOWN]);
  });

  it.concurrent('by a password of one’s own', async () => {
    const { headers } = await addPerson(first.url, 'changing', 'MEMBER');
    expect(await status(second, headers)).toBe(KNOWN);
    await change(headers, 'patchViewer(input: { currentPassword: "own-password", newPassword: "another" })');
    expect(await status(first, headers)).toBe(NOBODY);
    await untilHeard(headers);
    expect(await status(second, headers)).toBe(NOBODY);
  });

  it.concurrent('by deleting a key of the system, also over gRPC', async () => {
    const { id, text } = await credentials.addKey(null);
    const path = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';
    const send = async () => (await grpc.call(path, bearer(text), frameMessage(new Uint8Array())))['grpc-status'];
    expect([await send(), await status(second, bearer(text))]).toEqual(['0', KNOWN]);
    await ask('DELETE', `/v1/system/api_keys/${formatGlobalId('SystemApiKey', id)}`, AS_ADMIN);
    await untilHeard(bearer(text));
    expect([await send(), await status(second, bearer(text))]).toEqual(['16', NOBODY]);
  });

  it.concurrent('and with it its subscriptions, before the next event', async () => {
    const [leaving, losing, staying] = [await addMember(), await addMember(), await addMember()];
    const watches = await Promise.all([leaving.session, losing.key, staying.session, staying.key].map(watch));
    await ask('GET', '/auth/logout', leaving.session);
    await ask('DELETE', `/v1/user/api_keys/${losing.keyId}`, losing.session);
    await untilHeard(leaving.session, losing.key);
    await exportAll(second.url, traceRequest([{ traceId: traceId(2), spanId: spanId(2) }]), { ...AS_ADMIN });
    expect(await Promise.all(watches.map((next) => next()))).toEqual(['ended', 'ended', 'event', 'event']);
  });

  /** Watches a project on the second server; what it gives tells what comes next. */
  async function watch(shown: Shown): Promise<() => Promise<'event' | 'ended'>> {
    const query = `subscription { projectChanges(projectId: "${formatGlobalId('Project', 1)}") { traceIds } }`;
    const response = await postGraphql(second.url, { query }, { ...shown, accept: 'text/event-stream' });
    const events: AsyncGenerator<GraphqlAnswer> = readEvents(response);
    expect((await events.next()).value).toEqual({ data: { projectChanges: { traceIds: null } } });
    return async () => {
      const next = await events.next().catch(() => null);
      await response.body?.cancel().catch(() => undefined);
      return next === null || next.done === true ? 'ended' : 'event';
    };
  }

  it('is no fault of either', () => {
    expect(second.complaints).toEqual([]);
    expect(first.output()).not.toContain('"error"');
  });
});
