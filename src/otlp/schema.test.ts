import { describe, expect, it } from 'vitest';
import { listOracleFields } from '../../test/oracle/otlp.ts';
import { type FieldSchema, fieldsOf, findField, type MessageName } from './schema.ts';

const MESSAGES: readonly MessageName[] = [
  'ExportTraceServiceRequest',
  'ResourceSpans',
  'Resource',
  'EntityRef',
  'ScopeSpans',
  'InstrumentationScope',
  'Span',
  'Event',
  'Link',
  'Status',
  'ExportLogsServiceRequest',
  'ResourceLogs',
  'ScopeLogs',
  'LogRecord',
  'KeyValue',
  'AnyValue',
  'ArrayValue',
  'KeyValueList',
];

function typeOf(field: FieldSchema): string {
  if (field.kind === 'message') return field.message;
  if (field.kind === 'enum') return 'enum';
  return field.kind === 'id' ? 'BYTES' : field.kind.toUpperCase();
}

describe('the schema', () => {
  it.each(MESSAGES)('has the fields of %s, in ascending order', (message) => {
    const fields = fieldsOf(message);
    const described = fields.map(
      (field) => `${field.number} ${field.name}${field.isRepeated ? '*' : ''} ${typeOf(field)}`,
    );
    expect(described.toSorted()).toEqual(listOracleFields(message).toSorted());
    expect(fields.map(({ number }) => number)).toEqual(fields.map(({ number }) => number).toSorted((a, b) => a - b));
  });

  it('finds a field by its tag, and none of another wire type', () => {
    expect(findField('Span', 0x2a)).toMatchObject({ name: 'name' });
    expect(findField('Span', 0x28)).toBeUndefined();
    expect(findField('Span', 0x85)).toMatchObject({ name: 'flags', number: 16 });
  });
});
