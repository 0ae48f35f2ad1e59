import { tableFromIPC } from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonObject } from '#base/json';
import type { FrameQuery, WholeFrame } from '#store/spans/frame';
import type { StoredSpan } from '#store/spans/presenter';
import { encodeArrow } from './arrow.ts';
import { JsonFrameWriter } from './frame-writer.ts';
import { parseSource } from './source.ts';
import { tableJson } from './table-json.ts';

const INDEX = { label: 'context.span_id', source: { kind: 'field', field: 'context.span_id' } } as const;
const WHOLE: FrameQuery = { select: null, explode: null, concat: null, index: INDEX, rename: new Map() };

/** A frame of one span for each tree of attributes, made in two pages. */
function frameOf(query: FrameQuery, ...trees: readonly string[]): WholeFrame {
  const stored = trees.map((tree, number) => toStored(parseJson(tree) as JsonObject, number));
  const first = new JsonFrameWriter(query, null);
  for (const span of stored.slice(0, 1)) first.add(span, undefined);
  const page = first.finish(null);
  const second = new JsonFrameWriter(query, page.columns);
  for (const span of stored.slice(1)) second.add(span, undefined);
  const last = second.finish(null);
  return { columns: last.columns, pages: [page.rows, last.rows], rowCount: page.rowCount + last.rowCount, damaged: [] };
}

function toStored(attributes: JsonObject, number: number): StoredSpan {
  const span = { name: 'n', kind: 'LLM', spanId: `s${number}`, traceId: 't', parentSpanId: null, statusCode: 'OK' };
  return {
    row: { rowId: number, startTimeUs: 1_767_323_045_000_001, endTimeUs: 1_767_323_046_000_000 },
    span: { ...span, statusMessage: '', events: [], attributes, reading: attributes },
  } as unknown as StoredSpan;
}

function selected(...paths: readonly string[]): FrameQuery {
  const select = paths.map((path) => ({ label: path, source: { kind: 'attribute', path } as const }));
  return { ...WHOLE, select };
}

function jsonOf(frame: WholeFrame) {
  return JSON.parse(Buffer.concat([...tableJson(frame)]).toString()) as {
    readonly schema: { readonly fields: readonly object[] };
    readonly data: readonly object[];
  };
}

describe('a JSON table', () => {
  it('types a column by all of its values, of later pages too', () => {
    const query = selected('int', 'some', 'mix', 'flag', 'gap', 'text', 'none');
    const { schema, data } = jsonOf(
      frameOf(
        query,
        '{"int":1,"some":2,"mix":1,"flag":true,"gap":true,"text":"a"}',
        '{"int":9007199254740993,"mix":2.0,"flag":false,"text":"b"}',
      ),
    );
    expect(schema.fields).toEqual([
      { name: '0_context.span_id', type: 'string', extDtype: 'str' },
      { name: '1_int', type: 'integer' },
      { name: '2_some', type: 'number' },
      { name: '3_mix', type: 'number' },
      { name: '4_flag', type: 'boolean' },
      { name: '5_gap', type: 'string' },
      { name: '6_text', type: 'string', extDtype: 'str' },
      { name: '7_none', type: 'string' },
    ]);
    expect(data[0]).toMatchObject({ '1_int': 1, '7_none': null });
  });

  it('gives a column that comes later the next place', () => {
    const { schema, data } = jsonOf(frameOf(WHOLE, '{"a":"x"}', '{"b":{"c":[1]},"a":"y"}'));
    expect(schema.fields.slice(-2)).toMatchObject([{ name: '11_attributes.a' }, { name: '12_attributes.b' }]);
    expect(data).toMatchObject([{ '11_attributes.a': 'x' }, { '11_attributes.a': 'y', '12_attributes.b': { c: [1] } }]);
  });

  it('has its columns without any row', () => {
    expect(jsonOf(frameOf(selected('a')))).toMatchObject({ schema: { primaryKey: ['0_context.span_id'] }, data: [] });
  });
});

describe('an Arrow stream', () => {
  it('has nested values as they are where they have a type in common, and as JSON where they have none', () => {
    const frame = frameOf(
      selected('list', 'map', 'odd', 'empty', 'wide'),
      '{"list":[{"a":1,"b":[true]},{"a":null}],"map":{"x":1.5,"y":"t"},"odd":[1,"2"],"empty":{},"wide":9223372036854775807}',
      '{"list":[],"map":{"x":2,"z":{"k":"v"}},"odd":{"a":1}}',
    );
    const table = tableFromIPC(encodeArrow(frame), { useBigInt: true });
    expect(table.toArray()).toEqual([
      {
        list: [
          { a: 1n, b: [true] },
          { a: null, b: null },
        ],
        map: { x: 1.5, y: 't', z: null },
        odd: '[1,"2"]',
        empty: '{}',
        wide: 9223372036854775807n,
        'context.span_id': 's0',
      },
      {
        list: [],
        map: { x: 2, y: null, z: { k: 'v' } },
        odd: '{"a":1}',
        empty: null,
        wide: null,
        'context.span_id': 's1',
      },
    ]);
  });

  it('rounds and wraps no integer', () => {
    const frame = frameOf(
      selected('map', 'long', 'longer', 'mixed', 'some'),
      '{"map":{"long":9007199254740993,"longer":123456789012345678901,"list":[9007199254740993]},"long":-9223372036854775808,"longer":9223372036854775808,"mixed":9007199254740993,"some":3}',
      '{"map":{"long":0.5,"longer":1,"list":[1]},"long":1,"longer":1,"mixed":0.5}',
    );
    const table = tableFromIPC(encodeArrow(frame), { useBigInt: true });
    expect(table.toArray()).toEqual([
      {
        map: { long: '9007199254740993', longer: '123456789012345678901', list: BigInt64Array.of(9007199254740993n) },
        long: -9223372036854775808n,
        longer: '9223372036854775808',
        mixed: '9007199254740993',
        some: 3,
        'context.span_id': 's0',
      },
      {
        map: { long: '0.5', longer: '1', list: BigInt64Array.of(1n) },
        long: 1n,
        longer: '1',
        mixed: '0.5',
        some: null,
        'context.span_id': 's1',
      },
    ]);
  });

  it('has times to the nanosecond, and an index of its own name where it is a column too', () => {
    const table = tableFromIPC(encodeArrow(frameOf(WHOLE, '{}')), { useBigInt: true });
    const metadata = JSON.parse(table.schema.metadata?.get('pandas') ?? '{}') as { index_columns: readonly string[] };
    expect(metadata.index_columns).toEqual(['__index_level_0__']);
    expect(table.getChild('__index_level_0__')?.toArray()).toEqual(['s0']);
    expect(table.getChild('start_time')?.data[0]?.values).toEqual(BigInt64Array.of(1_767_323_045_000_001_000n));
  });
});

describe('a key', () => {
  it.each([
    ['trace_id', { kind: 'field', field: 'context.trace_id' }],
    ['cumulative_llm_token_count_total', { kind: 'field', field: 'cumulative_token_count.total' }],
    ['attributes.llm.model_name', { kind: 'attribute', path: 'llm.model_name' }],
    ['attributes["llm"][\'tools\'][0]', { kind: 'attribute', path: 'llm.tools.0' }],
    ["metadata['a.b']", { kind: 'attribute', path: 'metadata.a.b' }],
    ['__proto__', { kind: 'attribute', path: '__proto__' }],
  ])('%s is a field or an attribute', (key, source) => {
    expect(parseSource(key)).toEqual(source);
  });

  it.each(['', ' ', '.a', 'a..b', 'a.', "a['']", "a['b", 'a[b]', '"a"'])('%s is none', (key) => {
    expect(parseSource(key)).toBeUndefined();
  });
});
