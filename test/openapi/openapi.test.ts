/** Requests that are made from the OpenAPI document: what it calls valid is not refused, what it does not is, and answers are as it says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython } from '../harness/python.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { CALLERS } from './callers.ts';
import { runTester } from './run-tester.ts';
import { storeData } from './stored-data.ts';

const python = findPython();
const why = python.program === null ? ` (skipped: ${python.reason})` : '';

/** The part of the document that is read here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: object }>>>>;
}

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

/** Passwords and secrets take long to hash, and the bodies of these have the most members. */
const LONG = [
  'exportTraces',
  'exportLogs',
  'exportMetrics',
  'createSpans',
  'querySpans',
  'annotateSpanDocuments',
  'upsertOrDeleteSecrets',
  'createUser',
];

const PARTS: Readonly<Record<string, Part>> = {
  'without authentication': { filter: ['--include-method', 'GET'], validOnly: [], tested: 45 },
  'as an administrator': {
    filter: ['--exclude-method', 'GET', ...LONG.flatMap((id) => ['--exclude-operation-id', id])],
    validOnly: [
      'annotateSpans',
      'annotateTraces',
      'annotateSessions',
      'createAnnotationConfig',
      'updateAnnotationConfig',
      'createModelPrice',
      'updateModelPrice',
      'startBulkAction',
      'createAnnotationQueue',
      'registerApplication',
      'decideAuthorization',
      'setProjectAnnotationConfigs',
    ],
    tested: 60,
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
    const { paths } = (await (await fetch(`${server.url}/openapi.json`, { headers })).json()) as Document;
    const withBodies = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) =>
        requestBody === undefined ? [] : { method, path },
      ),
    );
    expect(withBodies.length).toBeGreaterThan(30);
    const answers = await Promise.all(
      withBodies.map(async ({ method, path }) => {
        const url = `${server.url}${path.replaceAll(/\{\w+\}/g, 'default')}`;
        const { status } = await fetch(url, { method: method.toUpperCase(), headers, body: Buffer.from('{}') });
        return `${method} ${path} ${status}`;
      }),
    );
    const others = answers.filter((answer) => !answer.endsWith(' 415') && !REFUSED_BEFORE[who]?.test(answer));
    expect(others).toEqual([]);
  });

  it.skipIf(python.program === null)(`is told the truth by the document${why}`, { timeout: 300_000 }, async () => {
    const { filter, validOnly, tested } = PARTS[who] as Part;
    const { code, output } = await runTester(server.url, {
      python: python.program ?? '',
      headers,
      validOnly,
      parameters: ['--phases', 'coverage', '--seed', '1', '--generation-deterministic', ...filter],
    });
    expect(code, output).toBe(0);
    expect(Number(/Tested: (\d+)/.exec(output)?.[1]), output).toBeGreaterThanOrEqual(tested);
    expect(server.complaints).toEqual([]);
  });
});
