/** Servers with what the operations of the matrix need: two projects with telemetry, and plenty that may be deleted. */
import { formatGlobalId } from '#base/global-id';
import { exportAll, exportLogs } from '../../harness/otlp-client.ts';
import { logsRequest, otlpSpan, resourceSpansOf, spanId, traceId } from '../../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../../harness/server.ts';
import { WITH_PEOPLE } from '../../harness/accounts.ts';
import { createPostgresData, type TestData } from '../../harness/test-data.ts';
import { ADMIN_SECRET, bearer, createPrincipals, Credentials, type Principal, SECRET } from './credentials.ts';
import { createRevoked } from './revoked.ts';

/** A project, and one of everything in it. */
export interface Place {
  readonly project: string;
  readonly projectRowId: number;
  readonly projectId: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly sessionId: string;
}

/** A server, who asks it, and about what. */
export interface World extends AsyncDisposable {
  readonly server: TestServer;
  readonly principals: readonly Principal[];
  /** Adds accounts and credentials. */
  readonly credentials: Credentials;
  /** The project that keys are narrowed to. */
  readonly own: Place;
  readonly other: Place;
  /** A trace, with a session of its own in the project that keys are narrowed to, that nothing else needs. */
  takeTrace(): Place;
  /** A number that is given once, for names. */
  takeNumber(): number;
  /** As an administrator. @throws Error with what the server answers unless it is a success */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Where a world keeps its data. */
export type Engine = 'sqlite' | 'postgres';

const SPARE_TRACES = 400;

/** Starts it with authentication, and with credentials of every kind. */
export async function startWorld(engine: Engine): Promise<World> {
  const { server, data } = await startOn(engine, WITH_PEOPLE);
  const credentials = new Credentials(data);
  await credentials.addAccounts();
  return fill(server, data, bearer(ADMIN_SECRET), credentials, async (own) => [
    ...(await createPrincipals(credentials, own.projectRowId)),
    ...(await createRevoked(server.url, credentials)),
  ]);
}

/** Starts it without authentication. */
export async function startOpenWorld(engine: Engine): Promise<World> {
  const { server, data } = await startOn(engine, {});
  const credentials = new Credentials(data);
  await credentials.addAccounts();
  const anybody = { name: 'anybody', column: 'off', fault: null, account: null, role: 'ADMIN', headers: {} } as const;
  return fill(server, data, {}, credentials, async () => [anybody]);
}

/** Starts a server whose data is the test's to change; a database of PostgreSQL goes with it. */
async function startOn(
  engine: Engine,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly server: TestServer; readonly data: TestData }> {
  const given = { OTLP_HTTP_PORT: '0', SECRET, ...settings };
  if (engine === 'sqlite') {
    const server = await startTestServer(given);
    return { server, data: server.data };
  }
  const data = await createPostgresData();
  const server = await startTestServer({ ...given, ...data.settings });
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await data.remove();
  };
  return { server: { ...server, [Symbol.asyncDispose]: close }, data };
}

async function fill(
  server: TestServer,
  data: TestData,
  admin: Readonly<Record<string, string>>,
  credentials: Credentials,
  principalsFor: (own: Place) => Promise<readonly Principal[]>,
): Promise<World> {
  let spare = 0;
  let number = 0;
  const spans = Array.from({ length: SPARE_TRACES + 1 }, (_, place) => spanOf(OWN_TRACES + place));
  await exportAll(
    server.url,
    {
      resourceSpans: [
        resourceSpansOf(spans, { 'openinference.project.name': 'own' }),
        resourceSpansOf([spanOf(OTHER_TRACE)], { 'openinference.project.name': 'other' }),
      ],
    },
    { ...admin },
  );
  for (const [project, trace] of [
    ['own', OWN_TRACES],
    ['other', OTHER_TRACE],
  ] as const) {
    const ids = { traceId: traceId(trace), spanId: spanId(trace) };
    const request = logsRequest([{ ...ids, body: 'said' }], { resource: { 'openinference.project.name': project } });
    const { status, message } = await exportLogs(server.url, request, { headers: { ...admin } });
    if (status !== 200) throw new Error(message);
  }
  const rows = await data.rows("SELECT id, name FROM projects WHERE name IN ('own', 'other')");
  const placeOf = (project: string, trace: number): Place => {
    const projectRowId = Number(rows.find(({ name }) => name === project)?.['id']);
    return {
      project,
      projectRowId,
      projectId: formatGlobalId('Project', projectRowId),
      traceId: traceId(trace),
      spanId: spanId(trace),
      sessionId: sessionOf(trace),
    };
  };
  const own = placeOf('own', OWN_TRACES);
  return {
    server,
    principals: await principalsFor(own),
    credentials,
    own,
    other: placeOf('other', OTHER_TRACE),
    takeTrace() {
      spare += 1;
      if (spare > SPARE_TRACES) throw new Error('There are too few traces to delete: raise their number.');
      return placeOf('own', OWN_TRACES + spare);
    },
    takeNumber: () => ++number,
    async send(method, path, body) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { ...admin, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const OWN_TRACES = 1000;
const OTHER_TRACE = 500;

function spanOf(trace: number) {
  return otlpSpan({
    traceId: traceId(trace),
    spanId: spanId(trace),
    name: 'matrix',
    attributes: { 'session.id': sessionOf(trace), 'input.value': 'said' },
  });
}

function sessionOf(trace: number): string {
  return `session ${trace}`;
}
