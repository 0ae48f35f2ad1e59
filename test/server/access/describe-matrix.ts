/** The access matrix: every operation of a server, by every interface, for callers of every kind, as docs/access.md declares it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRPC_METHODS } from '#server/otlp-grpc/call';
import { IS_LONG } from '../../harness/long-run.ts';
import { askWithoutBody, GrpcCaller } from '../callers.fixture.ts';
import { askGraphqlAs, formsOf } from './ask-graphql.ts';
import { askGrpc } from './ask-grpc.ts';
import { askEndlessly, askHttp, outcomeOf } from './ask-http.ts';
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

/** Columns of which the first may do nothing that the second may not. */
const CONTAINED: readonly (readonly [Column, Column])[] = [
  ['none', 'pending'],
  ['pending', 'viewer'],
  ['viewer', 'member'],
  ['member', 'admin'],
  ['viewer key', 'viewer'],
  ['member key', 'member'],
  ['admin key', 'admin'],
  ['system key', 'member key'],
  ['read key', 'member key'],
  ['ingest key', 'member key'],
  ['own project', 'member key'],
  ['other project', 'own project'],
  ['admin secret', 'admin'],
];

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
    describeWorld(() => startWorld(engine), CALLERS[IS_LONG ? 'long' : engine]);
  });
}

function describeOpen(engine: Engine): void {
  describe('without authentication', () => {
    describeWorld(() => startOpenWorld(engine), CALLERS[IS_LONG ? 'long' : engine]);
  });
}

/** Chooses who asks for an operation, the turn-th that is asked for. */
type Choose = (principals: readonly Principal[], turn: number, row: Row) => readonly Principal[];

/** Who asks. */
interface Callers {
  readonly all: Choose;
  /** At further paths of an operation, and with credentials that are refused elsewhere. */
  readonly some: Choose;
}

/**
 * What credentials stand for is judged before an operation is known, and operations are judged before an engine is asked. So the cells
 * that no other cell implies are asked on the first engine, by each kind of credentials in turn, and on the second only those are asked
 * that reach it.
 */
const CALLERS: Readonly<Record<Engine | 'long', Callers>> = {
  long: { all: (principals) => principals, some: oneOfEach },
  sqlite: { all: onesAtBoundary, some: onesAtBoundary },
  postgres: { all: oneWhoMay, some: oneWhoMay },
};

function describeWorld(start: () => Promise<World>, { all, some }: Callers): void {
  let world: World;
  let turn = 0;

  beforeAll(async () => {
    world = await start();
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  const callersOf = (operation: string) => all(world.principals, turn++, rowOf(operation));

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
    for (const route of routes) {
      const isFull = route === first && url === undefined && DECLARED.get(operation)?.none !== true;
      const principals = (isFull ? all : some)(world.principals, turn++, rowOf(operation));
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
    const known = all(world.principals, turn, row).filter(({ fault }) => fault === null);
    const unknown = world.principals.filter(({ fault }) => fault !== null);
    const principals = [...known, ...some(unknown, turn, row)];
    turn += 1;
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
    const callers = oneOfEach(world.principals, 0).filter(({ column }) => ENDLESS.has(column));
    const asked = [...ROUTES].flatMap(([operation, routes], place) => {
      const refused = callers.filter(({ column }) => !rowOf(operation)[column]);
      const chosen = IS_LONG ? refused : oneAt(refused, place);
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
    const asked = oneOfEach(world.principals, 0).map(async ({ column, name, headers }) => {
      const isViewer = column === 'viewer' || column === 'viewer key';
      const expected = column === 'none' ? 'unknown caller' : isViewer && method !== 'GET' ? 'refused' : 'hidden';
      const answer = await askWithoutBody(`${world.server.url}/v1/nothing`, method, headers);
      const { verdict, said } = outcomeOf(method, answer);
      return verdict === expected ? [] : [`${column} (${name}): ${verdict} (${said}), not ${expected}`];
    });
    expect((await Promise.all(asked)).flat()).toEqual([]);
  });

  it('has complained of nothing', () => {
    expect(world.server.complaints.filter((line) => !line.includes('authentication is off'))).toEqual([]);
  });
}

const ENDLESS: ReadonlySet<string> = new Set(['none', 'pending', 'viewer', 'off']);

function verdictFor(operation: string, column: Principal['column']) {
  return expectedVerdict(operation, column, DECLARED.get(operation)?.[column] === true);
}

function rowOf(operation: string): Row {
  return DECLARED.get(operation) ?? expect.fail(`docs/access.md has no row of ${operation}`);
}

/** One of each column, and of those who are nobody one of each kind; another one at each turn. */
function oneOfEach(principals: readonly Principal[], turn: number): readonly Principal[] {
  const kinds = Map.groupBy(principals, ({ column, fault }) => fault ?? column);
  return [...kinds.values()].flatMap((alike) => alike[turn % alike.length] ?? []);
}

/**
 * One of each column whose cell no other cell of the row implies, where no column may more than those that contain it: the least that may
 * and the most that may not, so that no rule is missing unseen. And one who is nobody, and one of another column, others at each turn.
 */
function onesAtBoundary(principals: readonly Principal[], turn: number, row: Row): readonly Principal[] {
  const known = principals.filter(({ fault }) => fault === null);
  const nobodies = principals.filter(({ fault }) => fault !== null);
  const ones = oneOfEach(known, turn);
  const implied = ones.filter(({ column }) => isImplied(row, column));
  const boundary = ones.filter((one) => !implied.includes(one));
  return [...boundary, ...oneAt(implied, turn), ...oneAt(nobodies, turn)];
}

/** Whether a column that may less may, too, or one that may more may not either. */
function isImplied(row: Row, column: Column): boolean {
  return CONTAINED.some(([less, more]) => (row[column] ? more === column && row[less] : less === column && !row[more]));
}

/** The turn-th of them, from the first again after the last. */
function oneAt<T>(all: readonly T[], turn: number): readonly T[] {
  return all.slice(turn % all.length).slice(0, 1);
}

/** One whom the table allows the operation, another one at each turn. */
function oneWhoMay(principals: readonly Principal[], turn: number, row: Row): readonly Principal[] {
  const alike = principals.filter(({ column }) => row[column]);
  return oneAt(alike, turn);
}

const OTLP = /^POST \/v1\/(?:traces|logs|metrics)$/;

/** `gRPC TraceService/Export` of `/opentelemetry.proto.collector.trace.v1.TraceService/Export`. */
function nameOfMethod(path: string): string {
  return `gRPC ${path.replace(/^.*\./, '')}`;
}
