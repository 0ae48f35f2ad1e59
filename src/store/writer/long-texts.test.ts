/** Texts as long as rows hold them, in a script that takes three bytes a letter, and letters that no compression shortens. */
import { expect, it } from 'vitest';
import { boundedText, MAX_ROW_TEXT } from '#derive/bounded-text';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { randomNumbers } from '../../../test/traffic/random.ts';
import { openTestWriter, recordsOf, spansOf } from '../logs/write/open-writer.fixture.ts';

function longText(seed: number): string {
  const random = randomNumbers(seed);
  return String.fromCharCode(...Array.from({ length: MAX_ROW_TEXT }, () => 0x4e00 + random(20_000)));
}

it('are stored wherever a sender may write them, and what is longer is told apart', async () => {
  const { writer, rows } = await openTestWriter();
  const [project, session, other] = [longText(1), longText(2), `${longText(2)}x`];
  const resource = { 'openinference.project.name': project, 'service.name': longText(3) };
  const attributes = { 'user.id': longText(4), 'llm.model_name': longText(5), 'llm.provider': longText(6) };
  const span = (number: number, sessionId: string) => ({
    traceId: traceId(number),
    spanId: spanId(number),
    name: longText(7),
    startUs: 10,
    endUs: 20,
    attributes: { ...attributes, 'session.id': sessionId },
  });
  const source = { resource, scope: longText(8) };
  const record = { eventName: 'gen_ai.choice', timeUs: 15, attributes: { 'session.id': session } };
  const outcomes = await writer.write([
    spansOf([span(1, session), span(2, other)], source),
    recordsOf([record], source),
  ]);
  expect(outcomes.map(({ stored, rejected }) => [stored, rejected])).toEqual([
    [2, []],
    [1, []],
  ]);
  expect(await rows('SELECT name FROM projects ORDER BY id')).toEqual([
    { name: 'default' },
    { name: boundedText(project) },
  ]);
  expect(await rows('SELECT session_id FROM sessions ORDER BY id')).toEqual([
    { session_id: boundedText(session) },
    { session_id: boundedText(other) },
  ]);
});

it('are stored without what a row cannot hold, also where scope and service are kept as one', async () => {
  const { writer, rows } = await openTestWriter();
  const source = { resource: { 'service.name': 'a\0b' }, scope: 'c\ud800d' };
  const outcomes = await writer.write([recordsOf([{ eventName: 'gen_ai.choice' }], source)]);
  expect(outcomes.map(({ stored, rejected }) => [stored, rejected])).toEqual([[1, []]]);
  expect(await rows('SELECT source FROM log_records')).toEqual([{ source: 'c\ufffdd a\ufffdb' }]);
});
