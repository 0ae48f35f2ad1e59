/** Every recorded scenario against what really happened, over REST of a running server, in each way it can arrive. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { listTraceIds } from './evidence.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { findException, judgeReading } from './judge.ts';
import { isFine } from './question.ts';
import { readProject, selectTraces, sendRequests } from './read-over-rest.ts';
import { listFolders, type RecordedScenario, readScenarios } from './recording.ts';
import { WAYS } from './ways.ts';

const FOLDERS = listFolders().map((folder) => ({ folder, scenarios: readScenarios(folder) }));
const TRACE_IDS = new Map(FOLDERS.flatMap(({ scenarios }) => scenarios).map((one) => [one, listTraceIds(one)]));

describe.each(WAYS)('telemetry that arrives $name', ({ arrange }) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const sent = FOLDERS.map((one) => ({ ...one, requests: arrange(one.scenarios.flatMap(({ requests }) => requests)) }));

  // At once, as services send: each in a project of its own.
  it.concurrent.each(sent.filter(({ requests }) => requests.length > 0))(
    'reads as what happened: $folder',
    async ({ folder, scenarios, requests }) => {
      const to = { url: server.url, grpcAddress: server.grpcAddress, project: folder };
      await sendRequests(to, requests);
      const reading = await readProject(to);
      const failures = scenarios.flatMap((scenario) => {
        const shown = selectTraces(reading, TRACE_IDS.get(scenario) ?? new Set());
        return listFailures(scenario, judgeReading(scenario, shown));
      });
      expect(failures.filter(({ exception }) => exception === undefined).map(({ line }) => line)).toEqual([]);
      const needed = failures.map(({ exception, fact }) => [exception, fact] as const);
      const stale = EXCEPTIONS.filter((one) => one.folder === folder).flatMap((one) =>
        one.facts.filter((fact) => !needed.some(([exception, missed]) => exception === one && missed === fact)),
      );
      expect(stale).toEqual([]);
      expect(server.complaints).toEqual([]);
    },
  );
});

describe('telemetry that names its project', () => {
  it('is found there', async () => {
    await using server = await startTestServer();
    const scenarios = readScenarios('openinference-manual');
    const requests = scenarios.flatMap((scenario) => scenario.requests);
    await sendRequests({ url: server.url, grpcAddress: server.grpcAddress }, requests);
    const { spans } = await readProject({ url: server.url, project: scenarios[0]?.truth.given.project ?? '' });
    expect(spans).toHaveLength(18);
  });
});

function listFailures(scenario: RecordedScenario, judgements: ReturnType<typeof judgeReading>) {
  return judgements
    .filter((one) => !isFine(one))
    .map(({ fact, verdict, expected, got }) => ({
      fact,
      exception: findException(scenario, fact),
      line: `${scenario.name}: ${fact} ${verdict}: expected ${expected.slice(0, 500)}, got ${got.slice(0, 500)}`,
    }));
}
