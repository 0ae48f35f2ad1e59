import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { openTestWriter, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { STEPS } from './changing-traces.fixture.ts';

it('stores all but the span that cannot be, of each request of a group', async () => {
  const complaints: string[] = [];
  const { exec, writer, rows } = await openTestWriter({ onError: (message) => complaints.push(message) });
  // Of an overflow all engines complain.
  await exec(
    "CREATE INDEX refuse ON spans ((CASE WHEN name = 'bad' THEN abs(start_us * 0 - 9223372036854775807 - 1) END))",
  );
  const span = (number: number, name: string) => ({ traceId: traceId(number), spanId: spanId(number), name });
  const outcomes = await writer.write([spansOf([span(1, 'first'), span(2, 'bad')]), spansOf([span(3, 'second')])]);
  expect(outcomes.map(({ stored, rejected }) => [stored, rejected.map(({ reason }) => reason)])).toEqual([
    [1, ['unstorable']],
    [1, []],
  ]);
  expect(await rows('SELECT name FROM spans ORDER BY id')).toEqual([{ name: 'first' }, { name: 'second' }]);
  expect(complaints).toEqual([`Span ${spanId(2)} could not be stored`]);
});

it('leaves in one commit of several traces what a commit of each leaves', async () => {
  const [together, alone] = [await openTestWriter(), await openTestWriter()];
  for (const step of STEPS) {
    const ofTraces = [...Map.groupBy([1, 2, 3].flatMap(step), (span) => span.traceId).values()];
    await together.writer.write(ofTraces.map((spans) => spansOf(spans)));
    for (const spans of ofTraces) await alone.writer.write([spansOf(spans)]);
    expect(await contentOf(together)).toEqual(await contentOf(alone));
  }
});

async function contentOf({ rows }: TestWriter): Promise<readonly unknown[]> {
  const tables = ['spans', 'traces', 'sessions', 'span_locations'];
  return Promise.all(tables.map((table) => rows(`SELECT * FROM ${table} ORDER BY 1`)));
}
