/**
 * Ends the server again and again while it works in the background, at steps of its commits. Whatever it has not come to
 * yet, its answers are those that originals give, and the next start goes on with the work.
 */
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLeftovers } from '#store/deletion/deletion.fixture';
import { queryGraphql } from '../../harness/graphql.ts';
import { createTestFolder, removeTestFolder } from '../../harness/leftovers.ts';
import { launchServerProcess, type ServerProcess } from '../../harness/server-process.ts';
import { findContradictions } from '../contradictions.ts';
import { Faults, whyNoFaults } from '../fail-io.ts';
import type { Fault, FaultPoint } from '../fault-points.ts';
import { FILTERS, findWrongAnswers, type KnownAnswers, openFile, readKnownAnswers, SEARCHES } from './answers.ts';
import { type DataFiles, makeDataFiles, PROJECTS, type ProjectName } from './fill.ts';

const why = whyNoFaults();

/** The n-th call at a point, from the start of the process, whose own commit is the first, or from the request for the work. */
type Kill = readonly [point: FaultPoint, n: number, fault: Fault];

interface Work {
  readonly what: string;
  /** What is left to do when it begins, by what is done. */
  readonly file: keyof DataFiles;
  /** Asks for the work, where the server does not do it on its own. */
  readonly begin?: (server: ServerProcess) => Promise<void>;
  /** What is asked for last, in the middle of which the server ends. */
  readonly request?: (url: string) => Promise<unknown>;
  /** What is there when it is asked for. */
  readonly projects: readonly ProjectName[];
  readonly kills: readonly Kill[];
  /** Queries of one number: how far the work has come, and what is left when it has ended. */
  readonly progress: string;
  readonly left: string;
  /** A query of what must be no row, at every time. */
  readonly never?: string;
}

const CHANGED = '(SELECT count(*) FROM span_segment_changes)';
const UNSEARCHABLE = `(SELECT count(*) FROM search_queue)
  + (SELECT next_id FROM row_ids WHERE table_name = 'spans') - (SELECT next_span_row_id FROM search_progress)`;

const WORKS: readonly Work[] = [
  {
    what: 'erases a project',
    file: 'settled',
    request: (url) => fetch(`${url}/v1/projects/gone`, { method: 'DELETE' }),
    projects: ['kept'],
    kills: [
      ['log-sync', 3, 'kill-before'],
      ['log-write', 200, 'kill-before'],
      ['log-sync', 4, 'kill-after'],
    ],
    progress: 'SELECT erased_span_count FROM deletions',
    left: `SELECT (SELECT count(*) FROM deletions WHERE state <> 'finished') + ${CHANGED} + ${UNSEARCHABLE}`,
  },
  {
    what: 'indexes texts',
    file: 'columnar',
    projects: PROJECTS,
    kills: [
      ['log-sync', 4, 'kill-before'],
      ['log-write', 60, 'kill-after'],
      ['log-sync', 3, 'kill-after'],
    ],
    progress: 'SELECT next_span_row_id FROM search_progress',
    left: `SELECT ${UNSEARCHABLE}`,
  },
  {
    what: 'builds columns',
    file: 'searchable',
    projects: PROJECTS,
    kills: [
      ['log-sync', 3, 'kill-after'],
      ['log-write', 45, 'kill-after'],
      ['log-sync', 3, 'kill-after'],
    ],
    progress: 'SELECT count(*) FROM span_segments WHERE build > 0',
    left: 'SELECT 5 - count(*) FROM span_segments WHERE build > 0',
  },
  {
    what: 'prices anew',
    file: 'settled',
    begin: async ({ url }) => {
      const answer = await postJson(`${url}/v1/model_prices`, HOUSE);
      expect(answer.status).toBe(201);
    },
    request: (url) => postJson(`${url}/v1/repricing`, {}),
    projects: PROJECTS,
    kills: [
      ['log-sync', 3, 'kill-after'],
      ['log-write', 300, 'kill-before'],
      ['log-sync', 6, 'kill-before'],
    ],
    progress: 'SELECT count(*) FROM spans WHERE claimed_cost_nanousd IS NOT NULL',
    left: `SELECT (SELECT count(*) FROM spans WHERE kind = 0 AND claimed_cost_nanousd IS NULL)
      + (SELECT count(*) FROM jobs WHERE kind = 'repricing' AND finished_at_us IS NULL) + ${CHANGED}`,
    never: `SELECT id, claimed_cost_nanousd FROM spans WHERE claimed_cost_nanousd IS NOT NULL
      AND claimed_cost_nanousd <> prompt_tokens * 10000 + completion_tokens * 20000 LIMIT 5`,
  },
];

/** Ten and twenty dollars for a million tokens. */
const HOUSE = {
  name: 'House',
  name_pattern: '^house-',
  prices: [
    { token_type: 'input', is_prompt: true, usd_per_million_tokens: 10 },
    { token_type: 'output', is_prompt: false, usd_per_million_tokens: 20 },
  ],
};

let folder: string;
let files: DataFiles;
let known: KnownAnswers;

describe.skipIf(why !== undefined)(`a server that is killed${why === undefined ? '' : ` (${why})`}`, () => {
  beforeAll(async () => {
    folder = createTestFolder('background');
    files = await makeDataFiles(folder);
    known = await readKnownAnswers(files.stored);
  });
  afterAll(() => removeTestFolder(folder));

  it.concurrent.each(WORKS)(
    'while it $what answers as originals do, and goes on',
    { timeout: 300_000 },
    async (work) => {
      const data = join(folder, work.what.replaceAll(' ', '-'));
      const path = join(data, 'cairn.db');
      mkdirSync(data);
      copyFileSync(files[work.file], path);
      using faults = new Faults(data);
      const places: number[] = [];
      for (const [place, kill] of work.kills.entries()) {
        await (place === 0 && work.request !== undefined
          ? endAtRequest(data, faults, kill, work)
          : endAtStep(data, faults, kill));
        using file = openFile(path);
        const wrong = [
          ...(await findWrongAnswers(file, known, work.projects, ['kept'])),
          // Beside it nothing writes to what they compare.
          ...(work.never === undefined ? [] : [...file.rows(work.never), ...findContradictions(path)]),
        ];
        expect({ kill, wrong }).toEqual({ kill, wrong: [] });
        expect({ kill, isLeft: Number(file.value(work.left)) > 0 }).toEqual({ kill, isLeft: true });
        places.push(Number(file.value(work.progress)));
      }
      expect(places.at(-1), `progress at the kills: ${places.join(', ')}`).toBeGreaterThan(places[0] ?? 0);

      const server = await launchServerProcess(data, {}).ready;
      await expectAnswers(server.url, work.projects, false);
      await untilDone(path, work.left);
      await expectAnswers(server.url, work.projects, true);
      expect(server.output()).not.toMatch(/"level":"(warn|error)"/);
      expect(await server.end('SIGTERM')).toBe(0);
      using file = openFile(path);
      expect(await findWrongAnswers(file, known, work.projects)).toEqual([]);
      expect(await findLeftovers(file)).toEqual([]);
      // What is deleted was stored all the same, which the ledger knows.
      const isAllKept = work.projects.length === PROJECTS.length;
      expect(findContradictions(path).filter(({ what }) => isAllKept || !what.startsWith('a ledger'))).toEqual([]);
      expect(file.rows(PARTS_WITH_OTHER_TEXTS)).toEqual([]);
    },
  );
});

/** Lets the server end at a step that it comes to on its own. */
async function endAtStep(data: string, faults: Faults, [point, n, fault]: Kill): Promise<void> {
  faults.arm([point], n, fault);
  const { child, ready } = launchServerProcess(data, { environment: faults.environment });
  ready.catch(() => undefined); // it may end before it is ready
  await expectKilled(faults, once(child, 'exit', { signal: AbortSignal.timeout(MAX_LIFE_MS) }));
}

/** Lets it end at a step of what it is asked for, answered or not. */
async function endAtRequest(data: string, faults: Faults, [point, n, fault]: Kill, work: Work): Promise<void> {
  const server = await launchServerProcess(data, { environment: faults.environment }).ready;
  await work.begin?.(server);
  faults.arm([point], n, fault);
  const killed = expectKilled(faults, once(server.child, 'exit', { signal: AbortSignal.timeout(MAX_LIFE_MS) }));
  await work.request?.(server.url).catch(() => undefined);
  await killed;
}

async function expectKilled(faults: Faults, exited: Promise<readonly unknown[]>): Promise<void> {
  expect(await exited).toEqual([null, 'SIGKILL']);
  expect(faults.disarm()).toBe(true);
}

/** Much of the work waits while others want the processor. */
const MAX_LIFE_MS = 90_000;

/** Holds what clients are told against what is known. */
async function expectAnswers(url: string, projects: readonly ProjectName[], isSearchable: boolean): Promise<void> {
  for (const name of PROJECTS) {
    const isThere = projects.includes(name);
    expect((await fetch(`${url}/v1/projects/${name}`)).status).toBe(isThere ? 200 : 404);
    if (!isThere) continue;
    const { matches, hits, spanRowIds } = known[name];
    const counts = FILTERS.map((filter, place) => `f${place}: recordCount(filterCondition: ${JSON.stringify(filter)})`);
    const finds = SEARCHES.map(
      (text, place) => `s${place}: search(text: ${JSON.stringify(text)}, first: 1) { hitCount { count } }`,
    );
    const asked = `query ($name: String!) { getProjectByName(name: $name) { recordCount ${counts.join(' ')}
      ${isSearchable ? finds.join(' ') : ''} } }`;
    const { getProjectByName } = await queryGraphql<{ getProjectByName: object }>(url, asked, { name });
    expect(getProjectByName).toEqual({
      recordCount: spanRowIds.length,
      ...Object.fromEntries(FILTERS.map((filter, place) => [`f${place}`, matches.get(filter)?.length])),
      ...(isSearchable &&
        Object.fromEntries(
          SEARCHES.map((text, place) => [
            `s${place}`,
            { hitCount: { count: Math.min(hits.get(text)?.length ?? 0, MAX_COUNTED) } },
          ]),
        )),
    });
  }
}

/** Hits beyond are not counted. */
const MAX_COUNTED = 1000;

async function untilDone(path: string, left: string): Promise<void> {
  using file = openFile(path);
  while (Number(file.value(left)) > 0) await wait(50);
}

/** Segments of words with as many texts as spans were the first to hold, and those that were removed, or not. */
const PARTS_WITH_OTHER_TEXTS = `SELECT part FROM (
    SELECT part, sum(text_count - removed_count) AS text_count FROM search_segments GROUP BY part)
  WHERE text_count <> (
    SELECT sum(length(introduced) / 10) FROM search_spans JOIN spans ON spans.id = span_row_id WHERE span_row_id >> 14 = part)`;

function postJson(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
