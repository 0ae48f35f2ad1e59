import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { readCarriedAnnotations } from './carried-annotations.ts';

const LINK = { traceId: 't', spanId: 's' };

function read(attributes: Readonly<Record<string, JsonValue>>, more: object = {}) {
  return readCarriedAnnotations({ sessionId: null, linked: [], entries: Object.entries(attributes), ...more });
}

const FULL = {
  'annotations.0.annotation.name': 'true',
  'annotations.0.annotation.label': 'yes',
  'annotations.0.annotation.score': 0,
  'annotations.0.annotation.explanation': 'why',
  'annotations.0.annotation.annotator_kind': 'LLM',
  'annotations.0.annotation.identifier': 'judge',
  'annotations.0.annotation.metadata': '{"v":1.0}',
};

describe('annotations that a span carries', () => {
  it('are of itself, with all their fields', () => {
    expect(read(FULL)).toEqual([
      {
        target: 'span',
        of: null,
        name: 'true',
        label: 'yes',
        score: 0,
        explanation: 'why',
        annotatorKind: 'LLM',
        identifier: 'judge',
        metadata: '{"v":1.0}',
      },
    ]);
  });

  it('are of what it links to, where it has exactly one link', () => {
    const both = { ...FULL, 'trace.evaluations.3.evaluation.name': 'whole', 'trace.evaluations.3.evaluation.score': 1 };
    expect(read(both, { linked: [LINK] })).toMatchObject([
      { target: 'span', of: 's' },
      { target: 'trace', of: 't', name: 'whole' },
    ]);
    expect(read(both, { linked: [LINK, { ...LINK, spanId: 'r' }] })).toMatchObject([{ of: null }, { of: null }]);
  });

  it('are of its session, and of none without', () => {
    const said = { 'session.annotations.0.annotation.name': 'fine', 'session.annotations.0.annotation.label': 'yes' };
    expect(read(said, { sessionId: 'chat', linked: [LINK] })).toMatchObject([{ target: 'session', of: 'chat' }]);
    expect(read(said)).toBeNull();
  });

  it('are read from lists of objects, as events become', () => {
    expect(read({ evaluations: [{ evaluation: { name: 'a', score: 0.5 } }] })).toMatchObject([
      { name: 'a', score: 0.5, annotatorKind: 'CODE', identifier: '', metadata: '{}' },
    ]);
  });

  it.each([
    ['a name', { 'annotations.0.annotation.label': 'yes' }],
    ['a score within bounds', { 'annotations.0.annotation.name': 'a', 'annotations.0.annotation.score': -1e308 }],
    ['a result', { 'annotations.0.annotation.name': 'a', 'annotations.0.annotation.score': 'high' }],
    ['a matching word', { 'annotations.0.evaluation.name': 'a', 'annotations.0.evaluation.label': 'b' }],
    ['a name of its own', { ...FULL, 'annotations.0.annotation.name': 'note' }],
    ['bounds', { ...FULL, 'annotations.0.annotation.explanation': 'x'.repeat(70_000) }],
  ])('are left out without %s', (_what, attributes) => {
    expect(read(attributes)).toBeNull();
  });

  it('are 100 at most', () => {
    const many = Array.from({ length: 150 }, (_, place) => ({ evaluation: { name: `n${place}`, score: 1 } }));
    expect(read({ evaluations: many })).toHaveLength(100);
  });

  it('are none for spans that carry other attributes of traces and sessions', () => {
    expect(read({ 'session.id': 'chat', 'trace.name': 'x', session: { user: 'a' } })).toBeNull();
  });
});
