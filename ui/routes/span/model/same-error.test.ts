import { describe, expect, it } from 'vitest';
import type { RecordedException } from './events.ts';
import { isToldByExceptions, messageAlone, placeOf } from './same-error.ts';

const PYTHON =
  'Traceback (most recent call last):\n  File "a.py", line 1\n  File "tools.py", line 31\nTimeoutError: too late\n';

function exception(fields: Partial<RecordedException> = {}): RecordedException {
  return {
    timestamp: '2026-01-01T00:00:00Z',
    type: 'openai.TimeoutError',
    message: 'too late',
    stackTrace: PYTHON,
    hasEscaped: false,
    rest: undefined,
    ...fields,
  };
}

describe('the message of a status', () => {
  it.each([
    'too late',
    'openai.TimeoutError: too late',
    'TimeoutError: too late\n',
    "TimeoutError('too late')",
    `openai.TimeoutError: too late\n\n${PYTHON}`,
    PYTHON,
  ])('is told by the exception: %j', (message) => {
    expect(isToldByExceptions(message, [exception()])).toBe(true);
  });

  it.each(['gave up after 3 attempts', 'too late, and the queue is full'])('says more: %j', (message) => {
    expect(isToldByExceptions(message, [exception()])).toBe(false);
  });

  it('is told by nothing where there is no exception', () => {
    expect(isToldByExceptions('too late', [])).toBe(false);
    expect(
      isToldByExceptions('too late', [exception({ type: undefined, message: undefined, stackTrace: undefined })]),
    ).toBe(false);
  });
});

it('the message of an exception does not repeat its stack trace, nor end with empty lines', () => {
  expect(messageAlone(exception({ message: `too late\n\n${PYTHON}\n` }))).toBe('too late');
  expect(messageAlone(exception({ message: 'too late\n\n', stackTrace: undefined }))).toBe('too late');
  expect(messageAlone(exception({ message: PYTHON }))).toBeUndefined();
});

it('the place of an error is the innermost call', () => {
  expect(placeOf(PYTHON)).toBe('File "tools.py", line 31');
  expect(placeOf('Error: no\n    at inner (a.js:1:2)\n    at outer (b.js:3:4)')).toBe('at inner (a.js:1:2)');
  expect(placeOf('no frames')).toBeUndefined();
});
