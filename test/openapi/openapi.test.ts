/** Requests that are made from the OpenAPI document: what it calls valid is not refused, what it does not is, and answers are as it says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Shown } from '../harness/accounts.ts';
import { findPython } from '../harness/python.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { CALLERS } from './callers.ts';
import type { AskedOperation } from './progress.ts';
import { runTester } from './run-tester.ts';
import { NAMES, storeData } from './stored-data.ts';

const python = findPython();
const why = python.program === null ? ` (skipped: ${python.reason})` : '';

/** The parts of the document that are read here. */
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly responses: Readonly<Record<string, object>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Each with the parts of a kind of body, and with none of them; the last is cut short. */
const MALFORMED = ['{}', '[]', '"text"', '{"data":[{}]}', '{"data":'];

/** Operations that each caller is refused for another reason, which comes before what a body is. */
const REFUSED_BEFORE: Readonly<Record<string, RegExp>> = {
  'without authentication': /^post (\/v1\/(user|system)\/api_keys|\/oauth2\/[a-z/]+) 40[34]$/,
  'as an administrator': /^post (\/v1\/user\/api_keys|\/oauth2\/authorize\/decision) 403$/,
};

/** The part of the operations that is asked of a server here; `npm run openapi` asks for all of them of both. */
interface Part {
  /** Options of the tester. */
  readonly filter: readonly string[];
  /** Operations of which no invalid requests are made, which are many where a body has many members. */
  readonly validOnly: readonly string[];
  /** Operations that are asked for at least. */
  readonly tested: number;
}

/**
 * What the document calls valid depends on the time of day (a key expires in the future), their bodies have the most members, or are those of another operation (annotations of spans have the members of the others), or
 * their passwords and secrets take long to hash. Malformed bodies are sent to them, too.
 */
const LONG = [
  'createSystemApiKey',
  'exportTraces',
  'exportLogs',
  'exportMetrics',
  'createSpans',
  'querySpans',
  'annotateSpanDocuments',
  'annotateTraces',
  'annotateSessions',
  'startBulkAction',
  'startRepricing',
  'upsertOrDeleteSecrets',
  'createUser',
  'createAnnotationConfig',
  'updateAnnotationConfig',
];

const PARTS: Readonly<Record<string, Part>> = {
  'without authentication': {
    // There is nothing to authorize: all requests of these are refused.
    filter: [
      '--include-method',
      'GET',
      '--exclude-operation-id',
      'authorize',
      '--exclude-operation-id',
      'getAuthorizationRequest',
    ],
    validOnly: [],
    tested: 45,
  },
  'as an administrator': {
    filter: ['--exclude-method', 'GET', ...LONG.flatMap((id) => ['--exclude-operation-id', id])],
    validOnly: [
      'annotateSpans',
      'createModelPrice',
      'updateModelPrice',
      'createAnnotationQueue',
      'registerApplication',
      'decideAuthorization',
      'setProjectAnnotationConfigs',
    ],
    tested: 53,
  },
};

describe.each(CALLERS)('$who', ({ who, settings, headers }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(settings);
    await storeData(server.url, headers);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('refuses every body that does not say what it is', async () => {
    const withBodies = await listOperationsWithBodies(server, headers);
    expect(withBodies.length).toBeGreaterThan(30);
    const answers = await Promise.all(
      withBodies.map(async ({ method, path, url }) => {
        const { status } = await fetch(url, { method: method.toUpperCase(), headers, body: Buffer.from('{}') });
        return `${method} ${path} ${status}`;
      }),
    );
    const others = answers.filter((answer) => !answer.endsWith(' 415') && !REFUSED_BEFORE[who]?.test(answer));
    expect(others).toEqual([]);
  });

  it('answers malformed bodies with statuses that the document names', async () => {
    const unnamed: string[] = [];
    for (const { method, path, url, contentType, statuses } of await listOperationsWithBodies(server, headers)) {
      for (const body of MALFORMED) {
        const { status } = await fetch(url, {
          method: method.toUpperCase(),
          headers: { ...headers, 'content-type': contentType },
          body,
        });
        if (!statuses.includes(String(status))) unnamed.push(`${method} ${path} ${body}: ${status}`);
      }
    }
    expect(unnamed).toEqual([]);
    expect(server.complaints).toEqual([]);
  });

  it.skipIf(python.program === null)(`is told the truth by the document${why}`, { timeout: 300_000 }, async () => {
    const { filter, validOnly, tested } = PARTS[who] as Part;
    const asked: AskedOperation[] = [];
    const { code, output } = await runTester(server.url, {
      python: python.program ?? '',
      headers,
      validOnly,
      onAsked: (operation) => asked.push(operation),
      parameters: ['--phases', 'coverage', '--seed', '1', '--generation-deterministic', ...filter],
    });
    expect(code, output).toBe(0);
    expect(Number(/Tested: (\d+)/.exec(output)?.[1]), output).toBeGreaterThanOrEqual(tested);
    // Of each it was told when it was asked for, which long runs print.
    expect(asked.length).toBeGreaterThanOrEqual(tested);
    expect(asked.at(-1)).toMatchObject({ phase: 'coverage', place: asked.length, of: asked.length, isFailed: false });
    expect(server.complaints).toEqual([]);
  });
});

/** What the document says of them, with addresses of what is stored. */
async function listOperationsWithBodies(server: TestServer, headers: Shown) {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`, { headers })).json()) as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, responses }]) => {
      if (requestBody === undefined) return [];
      const url = `${server.url}${path.replaceAll(/\{(\w+)\}/g, (_, name) => NAMES[`path.${name}`]?.[0] ?? 'default')}`;
      const contentType = Object.keys(requestBody.content)[0] ?? '';
      return { method, path, url, contentType, statuses: Object.keys(responses) };
    }),
  );
}
