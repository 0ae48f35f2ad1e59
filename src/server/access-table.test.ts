/** All policies beside everything that is served: each operation stands in one policy, and each is one that is served. */
import { globSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import { isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';
import { Registry } from 'prom-client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ANYBODY } from '#api/caller';
import type { Route } from '#api/rest/route';
import type { Permission, Policy } from '#domain/access';
import { SLICES } from '#resources/slices';
import { AnswerBudget } from './answer-budget.ts';
import { ampleBodies } from './text-bodies.fixture.ts';
import { createGraphqlSchema, type GraphqlParts } from './graphql/schema.ts';
import { createHttpApp } from './http-app.ts';
import { GRPC_METHODS } from './otlp-grpc/call.ts';
import { registerOtlpHttp } from './otlp-http.ts';
import { RecordingReceiver } from './recording-receiver.ts';
import { createRouteTable, type RouteParts } from './route-table.ts';

const SOURCE = `${import.meta.dirname}/..`;

/** Everything that files of policies export. */
const DECLARED = (
  await Promise.all(
    globSync('**/policy.ts', { cwd: SOURCE }).map(async (path) => {
      const exported = (await import(`${SOURCE}/${path}`)) as Readonly<Record<string, Policy>>;
      return Object.values(exported).flatMap((policy) => Object.values(policy));
    }),
  )
).flat();

/** What every route of an application with everything declares. */
async function accessOfRoutes(): Promise<readonly (Permission | undefined)[]> {
  const silent = () => undefined;
  const app = createHttpApp({
    isOpen: true,
    cookies: { isSecure: false, path: '/' },
    callers: ANYBODY,
    answers: new AnswerBudget(),
    textBodies: ampleBodies(),
    graphql: () => expect.fail('no operation is run'),
    webUi: { grpcAddress: () => '' },
    routes: await createRouteTable({ services: {}, registry: new Registry(), state: {} } as RouteParts),
    receive: (scope) =>
      registerOtlpHttp(scope, () => new RecordingReceiver(), {
        pathPrefix: '',
        maxBytes: 1,
        onFault: silent,
        onRefused: silent,
      }),
    rootPath: '',
    allowedHosts: [],
    allowedOrigins: [],
    registry: null,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  await app.ready();
  await app.close();
  // Only now has each scope declared what its routes do not.
  return routes.map(({ config }) => config?.access);
}

async function accessOfFields(): Promise<readonly (Permission | undefined)[]> {
  const schema = await createGraphqlSchema({ services: {} } as GraphqlParts);
  const types = Object.values(schema.getTypeMap());
  return types
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .filter((type) => !isIntrospectionType(type))
    .flatMap((type) => Object.values(type.getFields()))
    .map(({ extensions }) => extensions['access'] as Permission | undefined);
}

async function accessOfCommands(): Promise<readonly Permission[]> {
  const lists = await Promise.all(SLICES.map((slice) => slice.commands()));
  return lists.flatMap((commands) => Object.values(commands).map(({ permission }) => permission));
}

describe('the policies', () => {
  it('name each operation once', () => {
    const names = DECLARED.map(({ operation }) => operation);
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  });

  it('are all that is served, and all that they name is served', async () => {
    const served = [
      ...(await accessOfRoutes()),
      ...(await accessOfFields()),
      ...(await accessOfCommands()),
      ...[...GRPC_METHODS.values()].map(({ access }) => access),
      // Of paths that nothing serves, which are no routes.
      ...DECLARED.filter(({ operation }) => ['http.refusePath', 'http.refuseApi'].includes(operation)),
    ];
    expect(served.includes(undefined)).toBe(false);
    expect(new Set(served.map(describeAccess))).toEqual(new Set(DECLARED.map(describeAccess)));
  });
});

function describeAccess(permission: Permission | undefined): string {
  return `${permission?.operation}: ${permission?.access}`;
}

describe('a declaration without an access does not compile', () => {
  it('of a route', () => {
    expectTypeOf<Omit<Route, 'access'>>().not.toExtend<Route>();
    expectTypeOf<Omit<Route, 'access'> & { readonly access: 'read' }>().not.toExtend<Route>();
  });

  it('of a type, or of a field of queries, mutations and subscriptions', () => {
    expectTypeOf<Declares<PothosSchemaTypes.ObjectTypeOptions>>().toEqualTypeOf<true>();
    expectTypeOf<
      Declares<PothosSchemaTypes.QueryFieldOptions<Types, 'String', false, {}, string>>
    >().toEqualTypeOf<true>();
    expectTypeOf<
      Declares<PothosSchemaTypes.MutationFieldOptions<Types, 'String', false, {}, string>>
    >().toEqualTypeOf<true>();
    expectTypeOf<
      Declares<PothosSchemaTypes.SubscriptionFieldOptions<Types, 'String', false, {}, string, string>>
    >().toEqualTypeOf<true>();
  });
});

type Types = PothosSchemaTypes.ExtendDefaultTypes<{}>;

/** Whether options must say an access, and a permission at that. */
type Declares<Options> = Options extends { access: Permission } ? true : false;
