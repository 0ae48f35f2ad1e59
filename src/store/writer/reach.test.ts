/** What keys that are limited to projects may add to, decided where it is stored. */
import { beforeEach, describe, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import type { IncomingRequest } from '../incoming/request.ts';
import { openTestWriter, recordsOf, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { newProjectRow } from '../projects/new-project-row.ts';

let store: TestWriter;
let app: number;
let shop: number;

beforeEach(async () => {
  store = await openTestWriter();
  [app, shop] = [await addProject('app'), await addProject('shop')];
});

async function addProject(name: string): Promise<number> {
  const row = store.db.insertInto('projects').values(newProjectRow(name)).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

const of = (project: string) => ({ resource: { 'openinference.project.name': project } });
const KEY = 7;
const sentBy = (request: IncomingRequest, ...projectRowIds: number[]): IncomingRequest => ({
  ...request,
  sender: { keyRowId: KEY, projectRowIds },
});
const span = (trace: number, number: number) => ({ traceId: traceId(trace), spanId: spanId(number) });
const write = async (...requests: IncomingRequest[]) =>
  (await store.writer.write(requests)).map(({ stored, rejected }) => [stored, rejected.map(({ reason }) => reason)]);
const storedSpans = async () =>
  (await store.rows('SELECT span_id, project_id FROM spans ORDER BY id')).map((row) => Object.values(row));

describe('spans', () => {
  it('are stored in a project of the key', async () => {
    expect(await write(sentBy(spansOf([span(1, 1)], of('shop')), app, shop))).toEqual([[1, []]]);
    expect(await storedSpans()).toEqual([[spanId(1), shop]]);
  });

  it('join no trace of another project, neither as new ones nor in place of its own', async () => {
    await write(spansOf([span(1, 1)], of('shop')));
    const request = sentBy(spansOf([span(1, 1), span(1, 2), span(2, 3)], of('app')), app);
    const [outcome] = await store.writer.write([request]);
    expect(outcome).toMatchObject({ stored: 1, replaced: 0, duplicate: 0 });
    expect(outcome?.rejected).toMatchObject([
      { reason: 'not_permitted', message: expect.stringContaining(traceId(1)) },
      { reason: 'not_permitted' },
    ]);
    expect(await storedSpans()).toEqual([
      [spanId(1), shop],
      [spanId(3), app],
    ]);
  });

  it('join no trace that another request of the same commit brings to another project', async () => {
    const foreign = spansOf([span(1, 1)], of('shop'));
    const own = sentBy(spansOf([span(1, 2)], of('app')), app);
    expect(await write(foreign, own)).toEqual([
      [1, []],
      [0, ['not_permitted']],
    ]);
    expect(await storedSpans()).toEqual([[spanId(1), shop]]);
  });

  it('make no project, and are not stored in one that was made again under its name', async () => {
    await store.exec("DELETE FROM projects WHERE name = 'app'");
    expect(await write(sentBy(spansOf([span(1, 1)], of('app')), app))).toEqual([[0, ['not_permitted']]]);
    expect(await store.rows("SELECT id FROM projects WHERE name = 'app'")).toEqual([]);
    const again = await addProject('app');
    expect(again).not.toBe(app);
    expect(await write(sentBy(spansOf([span(1, 1)], of('app')), app))).toEqual([[0, ['not_permitted']]]);
    // Where the first is refused, the next one decides where the trace is.
    const refused = sentBy(spansOf([span(1, 1)], of('app')), app);
    expect(await write(refused, spansOf([span(1, 2)], of('shop')))).toEqual([
      [0, ['not_permitted']],
      [1, []],
    ]);
    expect(await storedSpans()).toEqual([[spanId(2), shop]]);
  });

  it('are held to it also where each is stored alone', async () => {
    const failing = await openTestWriter({ onError: () => undefined });
    store = failing;
    [app, shop] = [await addProject('app'), await addProject('shop')];
    await write(spansOf([span(1, 1)], of('shop')));
    await failing.exec(
      "CREATE INDEX refuse ON spans ((CASE WHEN name = 'bad' THEN abs(start_us * 0 - 9223372036854775807 - 1) END))",
    );
    const request = spansOf([span(1, 2), { ...span(3, 3), name: 'bad' }, span(4, 4)], of('app'));
    expect(await write(sentBy(request, app))).toEqual([[1, ['unstorable', 'not_permitted']]]);
    expect(await storedSpans()).toEqual([
      [spanId(1), shop],
      [spanId(4), app],
    ]);
  });
});

describe('log records', () => {
  it('join no trace of another project, and make no project', async () => {
    await write(spansOf([span(1, 1)], of('shop')), spansOf([span(2, 2)], of('app')));
    const records = [1, 2].map((number) => ({ ...span(number, number), eventName: 'gen_ai.choice', body: 'x' }));
    expect(await write(sentBy(recordsOf(records, of('app')), app))).toEqual([[1, ['not_permitted']]]);
    expect(await store.rows('SELECT project_id AS id FROM log_records')).toEqual([{ id: app }]);
    const elsewhere = recordsOf([{ eventName: 'gen_ai.choice', body: 'y' }], of('gone'));
    expect(await write(sentBy(elsewhere, app))).toEqual([[0, ['not_permitted']]]);
    expect(await store.rows("SELECT id FROM projects WHERE name = 'gone'")).toEqual([]);
  });
});

it('what a key sent is counted as its own', async () => {
  await write(spansOf([span(1, 1)], of('shop')), sentBy(spansOf([span(1, 2), span(2, 3)], of('app')), app));
  const ledger = 'SELECT project_id, api_key_id, outcome, reason, item_count FROM ingest_ledger ORDER BY 1, 2, 3';
  expect((await store.rows(ledger)).map((row) => Object.values(row))).toEqual([
    [0, KEY, 'rejected', 'not_permitted', 1],
    [app, KEY, 'stored', '', 1],
    [shop, 0, 'stored', '', 1],
  ]);
});
