import { describePostgres, createTestDatabase } from '../../../test/harness/postgres/databases.ts';
import { expect, it, onTestFinished } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { MIGRATED } from '../engine/open-postgres-test-engine.fixture.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import { spansOf } from '../logs/relational/open-writer.fixture.ts';
import { RelationalSpanWriter } from '../spans/relational/writer.ts';
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

type TestSpan = Parameters<typeof spansOf>[0][number];

/** What becomes of a trace: it is new, grows, counts otherwise, loses what decided its times, root and session. */
const STEPS: readonly ((number: number) => readonly TestSpan[])[] = [
  (number) => [span(number, 1, {}), span(number, 2, { parent: 1, kind: 'TOOL' })],
  (number) => [span(number, 3, { parent: 1, kind: 'LLM', tokens: 5 }), span(number, 4, { parent: 3, kind: 'CHAIN' })],
  (number) => [span(number, 5, { parent: 4, kind: 'LLM', tokens: 3 })],
  (number) => [span(number, 1, { startUs: 50, session: 'other' })],
];

interface SpanValues {
  readonly parent?: number;
  readonly kind?: string;
  readonly tokens?: number;
  readonly startUs?: number;
  readonly session?: string;
}

function span(trace: number, id: number, values: SpanValues): TestSpan {
  const { parent, kind = 'AGENT', tokens = 0, startUs = 10 + id, session = 'session' } = values;
  return {
    traceId: traceId(trace),
    spanId: spanId(id),
    ...(parent !== undefined && { parentSpanId: spanId(parent) }),
    name: `${kind} ${id}`,
    startUs,
    endUs: startUs + 1,
    attributes: {
      'openinference.span.kind': kind,
      'session.id': `${session} ${trace}`,
      ...(tokens > 0 && { 'llm.token_count.prompt': tokens, 'gen_ai.response.id': `answer ${trace} ${id}` }),
    },
  };
}

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
