/** The access matrix: every operation of a server, by every interface, for callers of every kind, as docs/access.md declares it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GRPC_METHODS } from '#server/otlp-grpc/call';
import { IS_LONG } from '../../harness/long-run.ts';
import { askWithoutBody, GrpcCaller } from '../callers.fixture.ts';
import { askGraphqlAs, formsOf } from './ask-graphql.ts';
import { askGrpc } from './ask-grpc.ts';
import { askEndlessly, askHttp, outcomeOf } from './ask-http.ts';
import { type Choose, CONTAINED, FIRST_TURN, oneAt, oneOfEach, onesAtBoundary, oneWhoMay } from './choose.ts';
import { type Column, readDeclared, type Row } from './declared.ts';
import { listGraphqlOperations } from './graphql-fields.ts';
import { type HttpRoute, listHttpRoutes, operationsOfRoutes } from './http-routes.ts';
import { expectedVerdict, type Outcome } from './outcome.ts';
import type { Principal } from './credentials.ts';
import { type Engine, startOpenWorld, startWorld, type World } from './world.ts';

const DECLARED = readDeclared();
const ROUTES = operationsOfRoutes(await listHttpRoutes());
const FIELDS = new Map((await listGraphqlOperations()).map((field) => [field.operation, field]));
const METHODS = new Map([...GRPC_METHODS.keys()].map((path) => [nameOfMethod(path), path]));

/** Each operation has its own turn, so that it is asked by the same callers when its test runs alone. */
const TURNS = new Map([...DECLARED.keys()].map((operation, place) => [operation, FIRST_TURN + place]));

/** Asks for the cells of the tables, on servers with the engine. */
export function describeMatrix(engine: Engine): void {
  it('has a row for every operation, and an operation for every row', () => {
    const operations = [...ROUTES.keys(), ...FIELDS.keys(), ...METHODS.keys()];
    expect([...DECLARED.keys()].toSorted()).toEqual(operations.toSorted());
  });

  it.each(CONTAINED)('%s may do nothing that %s may not', (less, more) => {
    const wrong = [...DECLARED].filter(([, row]) => row[less] && !row[more]);
    expect(wrong.map(([operation]) => operation)).toEqual([]);
  });

  describeSignedIn(engine);
  // Which engine answers does not depend on whether callers have credentials.
  if (engine === 'sqlite' || IS_LONG) describeOpen(engine);
}

function describeSignedIn(engine: Engine): void {
  describe('with authentication', () => {
    const world = describeWorld(() => startWorld(engine), CALLERS[IS_LONG ? 'long' : engine]);

    it('asks as administrators who are held back where administrators alone may, at any turn', () => {
      const { principals } = world();
      const columnsAt = (turn: number, row: Row) =>
        onesAtBoundary(principals, turn, row).flatMap(({ column, role }) => (role === 'ADMIN' ? [column] : []));
      const rows = [...DECLARED.values()].filter(({ admin, member }) => admin && !member);
      expect(rows).not.toEqual([]);
      for (const [turn] of principals.entries()) {
        for (const row of rows) expect(columnsAt(turn, row)).toEqual(expect.arrayContaining([...HELD_BACK]));
      }
    });
  });
}

/** What keeps an administrator from what administrators may. */
const HELD_BACK: readonly Column[] = ['pending', 'read key', 'ingest key', 'own project'];

function describeOpen(engine: Engine): void {
  describe('without authentication', () => {
    describeWorld(() => startOpenWorld(engine), CALLERS[IS_LONG ? 'long' : engine]);
  });
}

/** Who asks. */
interface Callers {
  readonly all: Choose;
  /** At further paths of an operation, and with credentials that are refused elsewhere. */
  readonly some: Choose;
}

/**
 * What credentials stand for is judged before an operation is known, and operations are judged before an engine is asked. So the cells
 * that no other cell of the same role implies are asked on the first engine, by each kind of credentials in turn, and on the second only
 * those are asked that reach it.
 */
const CALLERS: Readonly<Record<Engine | 'long', Callers>> = {
  long: { all: (principals) => principals, some: oneOfEach },
  sqlite: { all: onesAtBoundary, some: onesAtBoundary },
  postgres: { all: oneWhoMay, some: oneWhoMay },
};

/** Returns what gives its tests the world. */
function describeWorld(start: () => Promise<World>, { all, some }: Callers): () => World {
  let world: World;

  beforeAll(async () => {
    world = await start();
  });

  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => console.error(`To ask as the same callers again, set CAIRN_TEST_TURN=${FIRST_TURN}.`));
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  const callersOf = (operation: string) => all(world.principals, turnOf(operation), rowOf(operation));

  /** Asks as everybody, and tells of each whose outcome is another than the table says. */
  async function expectRow(
    operation: string,
    ask: (principal: Principal, row: Row) => Promise<Outcome>,
    principals = callersOf(operation),
  ): Promise<void> {
    const row = rowOf(operation);
    const wrong = await Promise.all(
      principals.map(async (principal) => {
        const { column, name } = principal;
        const { verdict, said } = await ask(principal, row);
        const expected = expectedVerdict(operation, column, row[column]);
        return verdict === expected ? [] : [`${column} (${name}): ${verdict} (${said}), not ${expected}`];
      }),
    );
    expect(wrong.flat()).toEqual([]);
  }

  /** At its first path as all who are chosen; at others, and what is for everybody, as one of each kind. */
  async function expectRoutes(operation: string, routes: readonly HttpRoute[], url?: string): Promise<void> {
    const first = routes.find(({ method }) => method !== 'HEAD');
    for (const [place, route] of routes.entries()) {
      const isFull = route === first && url === undefined && DECLARED.get(operation)?.none !== true;
      const principals = (isFull ? all : some)(world.principals, turnOf(operation) + place, rowOf(operation));
      await expectRow(operation, (principal, row) => askHttp(world, operation, route, principal, row, url), principals);
    }
  }

  it.each([...ROUTES])('%s', (operation, routes) => expectRoutes(operation, routes));

  it.each([...ROUTES].filter(([operation]) => OTLP.test(operation)))(
    '%s at the address for exporters alone',
    (operation, routes) => {
      const url = world.server.server.otlpHttpUrl ?? expect.fail('there is no such address');
      return expectRoutes(operation, routes, url);
    },
  );

  it.each([...FIELDS])('%s', async (operation, field) => {
    // Nobody gets as far as a field: the long run asks `POST /graphql` as all of them, and fields as one of each kind.
    const row = rowOf(operation);
    const turn = turnOf(operation);
    const known = all(world.principals, turn, row).filter(({ fault }) => fault === null);
    const unknown = world.principals.filter(({ fault }) => fault !== null);
    const principals = [...known, ...some(unknown, turn, row)];
    for (const form of formsOf(field)) {
      await expectRow(operation, (principal, row) => askGraphqlAs(world, field, form, principal, row), principals);
    }
  });

  it.each([...METHODS])('%s', async (operation, path) => {
    // The server closes a connection without a call after a while.
    await using grpc = new GrpcCaller(world.server.grpcAddress);
    await expectRow(operation, (principal, row) => askGrpc(world, grpc, path, principal, row));
  });

  it('refuses requests whose bodies do not end', async () => {
    const callers = oneOfEach(world.principals, FIRST_TURN).filter(({ column }) => ENDLESS.has(column));
    const asked = [...ROUTES].flatMap(([operation, routes]) => {
      const refused = callers.filter(({ column }) => !rowOf(operation)[column]);
      const chosen = IS_LONG ? refused : oneAt(refused, turnOf(operation));
      return chosen.map(async (principal) => {
        const expected = verdictFor(operation, principal.column);
        const writing = routes.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
        const outcomes = await Promise.all(writing.map((route) => askEndlessly(world, route, principal)));
        const wrong = outcomes.filter(({ verdict }) => verdict !== expected);
        return wrong.map(({ verdict, said }) => `${operation} as ${principal.column}: ${verdict} (${said})`);
      });
    });
    expect((await Promise.all(asked)).flat()).toEqual([]);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s of a path below /v1 that nothing serves', async (method) => {
    const asked = oneOfEach(world.principals, FIRST_TURN).map(async ({ column, role, name, headers }) => {
      const isWrittenByViewer = role === 'VIEWER' && method !== 'GET';
      const expected = column === 'none' ? 'unknown caller' : isWrittenByViewer ? 'refused' : 'hidden';
      const answer = await askWithoutBody(`${world.server.url}/v1/nothing`, method, headers);
      const { verdict, said } = outcomeOf(method, answer);
      return verdict === expected ? [] : [`${column} (${name}): ${verdict} (${said}), not ${expected}`];
    });
    expect((await Promise.all(asked)).flat()).toEqual([]);
  });

  it('has complained of nothing', () => {
    expect(world.server.complaints.filter((line) => !line.includes('authentication is off'))).toEqual([]);
  });

  return () => world;
}

const ENDLESS: ReadonlySet<string> = new Set(['none', 'pending', 'viewer', 'off']);

function verdictFor(operation: string, column: Principal['column']) {
  return expectedVerdict(operation, column, DECLARED.get(operation)?.[column] === true);
}

function turnOf(operation: string): number {
  return TURNS.get(operation) ?? expect.fail(`docs/access.md has no row of ${operation}`);
}

function rowOf(operation: string): Row {
  return DECLARED.get(operation) ?? expect.fail(`docs/access.md has no row of ${operation}`);
}

const OTLP = /^POST \/v1\/(?:traces|logs|metrics)$/;

/** `gRPC TraceService/Export` of `/opentelemetry.proto.collector.trace.v1.TraceService/Export`. */
function nameOfMethod(path: string): string {
  return `gRPC ${path.replace(/^.*\./, '')}`;
}
