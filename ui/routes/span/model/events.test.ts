import { expect, it } from 'vitest';
import { listRecordedSpans } from '../../../../test/support/recorded-spans.ts';
import { splitEvents } from './events.ts';

const timestamp = '2026-11-21T08:00:00Z';

it('tells exceptions from what else happened', () => {
  const attributes = {
    'exception.type': 'ValueError',
    'exception.message': 'no such city',
    'exception.stacktrace': 'Traceback',
    'exception.escaped': 'True',
    'retry.count': 2,
  };
  const events = [
    { name: 'exception', timestamp, attributes },
    { name: 'chunk', timestamp, attributes: { index: 1, data: '{"a":1}' } },
  ];
  expect(splitEvents(events)).toMatchObject({
    exceptions: [
      {
        type: 'ValueError',
        message: 'no such city',
        stackTrace: 'Traceback',
        hasEscaped: true,
        rest: { 'retry.count': 2 },
      },
    ],
    others: [{ name: 'chunk', attributes: { index: 1, data: { a: 1 } } }],
  });
});

it('knows an exception by its fields, whatever the event is called', () => {
  const event = { name: 'gen_ai.client.operation.exception', timestamp, attributes: { 'exception.message': 'gone' } };
  expect(splitEvents([event]).exceptions).toMatchObject([{ message: 'gone', type: undefined, hasEscaped: false }]);
});

it('finds the exception of every failed tool in the recordings', () => {
  const failed = listRecordedSpans().filter(({ file, kind }) => file.includes('tool-error') && kind === 'tool');
  const found = failed.filter(({ events }) => splitEvents(events).exceptions.length > 0);
  expect(found.length).toBeGreaterThan(2);
});
