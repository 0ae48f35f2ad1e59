/** Every recorded scenario against what really happened, over REST of a running server, in each way it can arrive. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { listTraceIds } from './evidence.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { findException, judgeReading } from './judge.ts';
import type { Judgement } from './question.ts';
import { readProject, selectTraces, sendRequests } from './read-over-rest.ts';
import { listFolders, type RecordedScenario, readScenarios } from './recording.ts';
import { renumber, renumberId, WAYS } from './ways.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

describe.each(listFolders())('%s', (folder) => {
  const scenarios = readScenarios(folder);
  const requests = scenarios.flatMap((scenario) => scenario.requests);
  const traceIds = new Map(scenarios.map((scenario) => [scenario.name, listTraceIds(scenario)]));
  const ways = WAYS.map(({ name, arrange }, number) => ({ name, number, sent: arrange(requests) }));

  it.each(ways.filter(({ sent }) => sent.length > 0))('reads as what happened: $name', async ({ number, sent }) => {
    const to = { url: server.url, grpcAddress: server.grpcAddress, project: `${folder} ${number}` };
    await sendRequests(to, renumber(sent, new Set([...traceIds.values()].flatMap((ids) => [...ids])), number));
    const reading = await readProject(to);
    const failed = scenarios.flatMap((scenario) => {
      const ids = new Set([...(traceIds.get(scenario.name) ?? [])].map((id) => renumberId(id, number)));
      const judged = judgeReading(scenario, selectTraces(reading, ids));
      const judgements = judged
        .filter(({ verdict }) => verdict !== 'shown')
        .filter(({ fact }) => findException(scenario, fact) === undefined);
      return judgements.map((one) => describeFailure(scenario, one));
    });
    expect(failed).toEqual([]);
    expect(server.complaints).toEqual([]);
  });

  it.each(EXCEPTIONS.filter((one) => one.folder === folder))(
    'needs the exception $scenarios $facts',
    async (exception) => {
      const reading = await readProject({ url: server.url, project: `${folder} 0` });
      const missed = scenarios.flatMap((scenario) =>
        judgeReading(scenario, selectTraces(reading, traceIds.get(scenario.name) ?? new Set())).filter(
          ({ fact, verdict }) => verdict !== 'shown' && findException(scenario, fact) === exception,
        ),
      );
      expect(new Set(missed.map(({ fact }) => fact))).toEqual(new Set(exception.facts));
    },
  );
});

function describeFailure({ name }: RecordedScenario, { fact, verdict, expected, got }: Judgement): string {
  return `${name}: ${fact} ${verdict}: expected ${expected.slice(0, 500)}, got ${got.slice(0, 500)}`;
}
