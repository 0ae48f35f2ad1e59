import { describePostgres, createTestDatabase } from '../../../test/harness/postgres/databases.ts';
import { expect, it, onTestFinished } from 'vitest';
import type { TestSpan } from '../../../test/harness/otlp-json.ts';
import { MIGRATED } from '../engine/open-postgres-test-engine.fixture.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import { spansOf } from '../logs/write/open-writer.fixture.ts';
import { STEPS } from '../writer/changing-traces.fixture.ts';
import { RelationalSpanWriter } from '../writer/writer.ts';
import { openPostgresWriteEngine } from './engine.ts';
import { watchWire } from './wire-watch.fixture.ts';

describePostgres('a commit on PostgreSQL', () => {
  it('takes as many statements for fifty traces as for one', async () => {
    const { write, take } = await openWatched();
    for (const step of STEPS) await write([1, 2].flatMap(step));
    const few: (readonly string[])[] = [];
    for (const step of STEPS) {
      take();
      await write([3].flatMap(step));
      few.push(take());
    }
    const many: (readonly string[])[] = [];
    for (const step of STEPS) {
      take();
      await write(numbers(50, 100).flatMap(step));
      many.push(take());
    }
    expect(many).toEqual(few);
  });
});

async function openWatched() {
  const database = await createTestDatabase({ template: MIGRATED });
  const wire = await watchWire(database.address);
  const engine = openPostgresWriteEngine({
    address: wire.address,
    dialect: postgresDialect,
    serverId: 'test',
    blockAboveBytes: null,
    prepare: async () => undefined,
  });
  onTestFinished(async () => {
    await engine.close();
    await database.drop();
  });
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const writer = new RelationalSpanWriter({ ...engine, onError });
  return { write: (spans: readonly TestSpan[]) => writer.write([spansOf([...spans])]), take: wire.take };
}

function numbers(count: number, from: number): number[] {
  return Array.from({ length: count }, (_, place) => from + place);
}
