import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CandidateSpan, findMeantSpan } from './meant-span.ts';

/** A span of the record's scope, by its id and that of its parent. */
function span(spanId: string, parentSpanId: string | null = null, fields: Partial<CandidateSpan> = {}): CandidateSpan {
  const rowId = spanId.charCodeAt(0);
  return { rowId, traceRowId: 1, spanId, parentSpanId, isOfScope: true, isOfConversation: false, ...fields };
}

const ofConversation = { isOfScope: false, isOfConversation: true };

describe('the span that is meant', () => {
  it.each([
    ['the only one', [span('a')], 'a'],
    ['none where there is none', [], undefined],
    ['the innermost of those that lie one in the other', [span('b', 'a'), span('c', 'b'), span('a')], 'c'],
    ['the innermost, though the outermost has a parent elsewhere', [span('b', 'a'), span('a', 'z')], 'b'],
    ['none of two beside each other', [span('a'), span('b', 'a'), span('c', 'a')], undefined],
    ['none where what lies between is not known', [span('a'), span('c', 'b')], undefined],
    ['none of two traces', [span('a'), span('b', 'a', { traceRowId: 2 })], undefined],
    ['none of two traces that share an id', [span('a'), span('a', null, { traceRowId: 2 })], undefined],
    ['the only one, though it is its own parent', [span('a', 'a')], 'a'],
    ['none in a circle of parents', [span('a', 'b'), span('b', 'a')], undefined],
    ['none beside a circle of parents', [span('a', 'b'), span('b', 'a'), span('c')], undefined],
    ['none in a circle that one lies in', [span('a', 'b'), span('b', 'a'), span('c', 'a')], undefined],
    ['one of the scope before one of the conversation', [span('a', null, ofConversation), span('b')], 'b'],
    ['the only one of the conversation', [span('a', null, ofConversation)], 'a'],
    ['none of two of the conversation', [span('a', null, ofConversation), span('b', 'a', ofConversation)], undefined],
    ['none that is neither', [span('a', null, { isOfScope: false })], undefined],
  ])('is %s', (_what, candidates, meant) => {
    expect(findMeantSpan(candidates)?.spanId).toBe(meant);
  });

  it('is the same in any order, and ends', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const candidates = fc
      .uniqueArray(
        fc.record({ spanId: id, parentSpanId: fc.option(id), isOfScope: fc.boolean(), isOfConversation: fc.boolean() }),
        { selector: (one) => one.spanId },
      )
      .map((spans) => spans.map(({ spanId, parentSpanId, ...evidence }) => span(spanId, parentSpanId, evidence)));
    const shuffled = candidates.chain((spans) =>
      fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })),
    );
    fc.assert(
      fc.property(shuffled, ([spans, again]) => {
        expect(findMeantSpan(again)).toBe(findMeantSpan(spans));
      }),
      { numRuns: 500 },
    );
  });
});
