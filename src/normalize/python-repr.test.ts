import { describe, expect, it } from 'vitest';
import { readPythonContainer, readPythonRepr } from './python-repr.ts';

describe('a repr', () => {
  it.each<[string, unknown]>([
    ["{'audio': 0, 'cache_read': 64}", { audio: 0, cache_read: 64 }],
    ['None', null],
    ['[True, False, None]', [true, false, null]],
    ['(1, 2)', [1, 2]],
    ['(1,)', [1]],
    ['()', []],
    ['{}', {}],
    ["{'a', 'b'}", ['a', 'b']],
    ['{1: 2, None: 3}', { 1: 2, null: 3 }],
    ["{'a': [{'b': ()}]}", { a: [{ b: [] }] }],
    [`['it\\'s', "it's", 'say "hi"']`, ["it's", "it's", 'say "hi"']],
    [String.raw`'a\nb\tc\\d\x41\u00e9\U0001f600\q'`, 'a\nb\tc\\dAé😀\\q'],
    ["b'raw'", 'raw'],
    [String.raw`r'a\n'`, String.raw`a\n`],
    ["'one ' 'text'", 'one text'],
    ['[1, -2, 3.5, 1e-05, -0.5]', [1, -2, 3.5, 0.00001, -0.5]],
    ['[nan, inf, -inf]', ['NaN', 'Infinity', '-Infinity']],
    ["Message(role='user', content=None)", { role: 'user', content: null }],
    ["[a.b.C(x=D(y=[1]), z='q')]", [{ x: { y: [1] }, z: 'q' }]],
    ["Message(role=<Role.USER: 'user'>)", { role: 'user' }],
    [
      "Document(id=doc-1, content: 'a, b', meta: {'p': 1}, embedding: vector of size 8)",
      {
        id: 'doc-1',
        content: 'a, b',
        meta: { p: 1 },
        embedding: 'vector of size 8',
      },
    ],
    [
      'Tool(f=<function get at 0x7f>, at=datetime(2026, 1, 2), n=3)',
      {
        f: '<function get at 0x7f>',
        at: 'datetime(2026, 1, 2)',
        n: 3,
      },
    ],
    ['[<a.B object at 0x7f>, datetime.date(2026, 1, 2)]', ['<a.B object at 0x7f>', 'datetime.date(2026, 1, 2)']],
  ])('%s is read', (text, value) => {
    expect(JSON.parse(JSON.stringify(readPythonRepr(text)))).toEqual(value);
  });

  it('keeps integers that JavaScript rounds, and whole floats', () => {
    expect(JSON.stringify(readPythonRepr('[123456789012345678901234567890, 1.0]'))).toBe(
      '[123456789012345678901234567890,1.0]',
    );
  });

  it.each([
    '',
    'plain words',
    '[plain words]',
    '[INFO] started',
    '(see below)',
    "{'a': 1",
    "{'a': 1}}",
    "{'a' 1}",
    "['open",
    '[1 2]',
    '{1, 2: 3}',
    '{1: 2, 3}',
    'f(x) = y',
    '<b>bold</b> text',
  ])('%s is none', (text) => {
    expect(readPythonRepr(text)).toBeUndefined();
  });

  it('has no prototype that its keys could reach', () => {
    const value = readPythonRepr("{'__proto__': {'polluted': True}}");
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('is storable', () => {
    expect(readPythonRepr(String.raw`'a\x00b\ud800'`)).toBe('a\uFFFDb\uFFFD');
  });
});

describe('a container', () => {
  it.each(["'text'", '5', 'None', 'Name', 'f(1)', 'I said (maybe)'])('is not %s', (text) => {
    expect(readPythonContainer(text)).toBeUndefined();
  });

  it.each(['[1]', "{'a': 1}", '(1,)', 'M(a=1)'])('is %s', (text) => {
    expect(readPythonContainer(text)).toBeTypeOf('object');
  });
});

describe('hostile texts', () => {
  it.each<[string, string]>([
    ['deep lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['deep dicts', `${"{'a':".repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['deep models', `${'A(a='.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['models that fail at each level', `${'A(a='.repeat(60)}${"'x',".repeat(50_000)}${',1)'.repeat(60)}`],
    ['open quotes', `['${"\\'".repeat(200_000)}`],
    ['open brackets in a field', `A(a=x${'('.repeat(200_000)}`],
    ['spaces', `[${' '.repeat(1_000_000)}`],
    ['nothing but crumbs', `[${'{},'.repeat(300_000)}`],
  ])('%s end soon, unread', (_what, text) => {
    const start = performance.now();
    expect(readPythonRepr(text)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
