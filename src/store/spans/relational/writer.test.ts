import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { openMemoryWriter, spansOf } from '../../logs/relational/open-writer.fixture.ts';

it('stores all but the span that cannot be, of each request of a group', async () => {
  const complaints: string[] = [];
  const { connection, writer, rows } = await openMemoryWriter(undefined, (message) => complaints.push(message));
  connection.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON spans WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ABORT, 'refused'); END",
  );
  const span = (number: number, name: string) => ({ traceId: traceId(number), spanId: spanId(number), name });
  const outcomes = await writer.write([spansOf([span(1, 'first'), span(2, 'bad')]), spansOf([span(3, 'second')])]);
  expect(outcomes.map(({ stored, rejected }) => [stored, rejected.map(({ reason }) => reason)])).toEqual([
    [1, ['unstorable']],
    [1, []],
  ]);
  expect(rows('SELECT name FROM spans ORDER BY id')).toEqual([{ name: 'first' }, { name: 'second' }]);
  expect(complaints).toEqual([`Span ${spanId(2)} could not be stored`]);
});
