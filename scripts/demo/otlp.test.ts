import { describe, expect, it } from 'vitest';
import { Double, encodeAttributes, exportRequest, type RecordedSpan } from './otlp.ts';

describe('encodeAttributes', () => {
  it('sends whole numbers as ints in decimal text and others as doubles', () => {
    expect(encodeAttributes({ whole: 12, part: 1.5, score: new Double(1) })).toEqual([
      { key: 'whole', value: { intValue: '12' } },
      { key: 'part', value: { doubleValue: 1.5 } },
      { key: 'score', value: { doubleValue: 1 } },
    ]);
  });

  it('nests lists and maps', () => {
    expect(encodeAttributes({ tags: ['a', true], map: { inner: 'b' } })).toEqual([
      { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
      { key: 'map', value: { kvlistValue: { values: [{ key: 'inner', value: { stringValue: 'b' } }] } } },
    ]);
  });

  it('leaves out what is not set', () => {
    expect(encodeAttributes({ absent: undefined })).toEqual([]);
  });
});

describe('exportRequest', () => {
  const resource = { attributes: { 'service.name': 'one' } };
  const scope = { name: 'first', version: '1' };
  const span = (name: string, endTimeUnixNano: string): RecordedSpan['span'] => ({
    traceId: 'a',
    spanId: name,
    name,
    kind: 1,
    startTimeUnixNano: '1',
    endTimeUnixNano,
    attributes: [],
    events: [],
    links: [],
    status: { code: 1 },
    flags: 1,
  });

  it('groups by resource and scope, earliest end first', () => {
    const other = { attributes: { 'service.name': 'two' } };
    const request = exportRequest([
      { resource, scope, span: span('parent', '30') },
      { resource, scope, span: span('child', '20') },
      { resource, scope: { ...scope }, span: span('elsewhere', '25') },
      { resource: other, scope, span: span('foreign', '10') },
    ]);
    const names = request.resourceSpans.map((one) => one.scopeSpans.map((two) => two.spans.map(({ name }) => name)));
    expect(names).toEqual([[['foreign']], [['child', 'parent'], ['elsewhere']]]);
  });

  it('keeps the order of times that differ by less than a number can hold', () => {
    const late = span('late', '1790000000000000002');
    const early = span('early', '1790000000000000001');
    const request = exportRequest([late, early].map((one) => ({ resource, scope, span: one })));
    expect(request.resourceSpans[0]?.scopeSpans[0]?.spans.map(({ name }) => name)).toEqual(['early', 'late']);
  });
});
