/** However many people ask at once, nobody gets what somebody else has. */
import { expect, it, onTestFinished } from 'vitest';
import { ANONYMOUS } from '#domain/caller';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openPostgresServers } from '#store/engine/open-postgres-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { openTestWriter, spansOf } from '#store/logs/write/open-writer.fixture';
import { openSqliteTestEngine } from '#store/sqlite/open-test-engine.fixture';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { describePostgres } from '../../../../test/harness/postgres/databases.ts';
import { type AnnotationQueueCommands, annotationQueueCommands } from '../commands.ts';
import { annotationQueuePolicy } from '../policy.ts';

const COUNT = 16;

it('on SQLite', async () => {
  const engine = await openSqliteTestEngine();
  onTestFinished(() => engine.close());
  await expectEachOnce([engine]);
});

describePostgres('on PostgreSQL', () => {
  it('with two servers', async () => {
    const servers = await openPostgresServers(2);
    for (const server of servers) onTestFinished(() => server.close());
    await expectEachOnce(servers);
  });
});

/** As many people as there are items hold one each, review it at once, and find nothing left. */
async function expectEachOnce(servers: readonly TestEngine[]): Promise<void> {
  const [first] = servers as [TestEngine];
  const calls = servers.map((server) =>
    remoteCommands<AnnotationQueueCommands>(annotationQueuePolicy, runCommandsOn(server, [annotationQueueCommands])),
  );
  const callsOf = (person: number) => calls[person % calls.length] as (typeof calls)[number];
  const { rowId: queueRowId } = await callsOf(0).create(ANONYMOUS, {
    name: 'Tone',
    description: null,
    instructions: null,
    target: 'trace',
    reviewsPerItem: 1,
    isBlind: false,
    holdMinutes: 15,
    configRowIds: [],
  });
  const { writer } = await openTestWriter({ engine: first });
  const numbers = Array.from({ length: COUNT }, (_, place) => place + 1);
  await writer.write([spansOf(numbers.map((number) => ({ traceId: traceId(number), spanId: spanId(number) })))]);
  await first.exec(`INSERT INTO annotation_queue_items (queue_id, target, target_row_id, added_at_us)
    SELECT ${queueRowId}, 'trace', id, 1 FROM traces ORDER BY id`);
  const items = (await first.rows('SELECT id FROM annotation_queue_items ORDER BY id')).map((row) => Number(row['id']));
  const people = numbers.map((number) => `browser-${number}`);
  const holdAll = () =>
    Promise.all(
      people.map(async (holder, person) => {
        const held = await callsOf(person).hold(ANONYMOUS, { queueRowId, itemRowId: null, holder });
        return held.itemRowId;
      }),
    );
  const held = await holdAll();
  expect(held.toSorted((a, b) => Number(a) - Number(b))).toEqual(items);
  const next = await Promise.all(
    people.map((holder, person) =>
      callsOf(person).review(ANONYMOUS, { itemRowId: held[person] ?? 0, outcome: 'completed', holder }),
    ),
  );
  expect(next.map(({ itemRowId }) => itemRowId)).toEqual(people.map(() => null));
  expect(await holdAll()).toEqual(people.map(() => null));
  const done = await first.rows('SELECT completed_count, is_done FROM annotation_queue_items');
  expect(done).toEqual(items.map(() => ({ completed_count: 1, is_done: 1 })));
}
