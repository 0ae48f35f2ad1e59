/** How a span was read: which dialects spoke in it, where what was sent went, and where what is shown came from. */
import type { Builder } from '#api/graphql/builder';
import type { SpanParts } from '#store/spans/browse-port';
import type { SpanLoaders } from '../loaders.ts';
import { spanPolicy } from '../policy.ts';
import { loadPart } from './load-part.ts';

type Reading = NonNullable<SpanParts['reading']>;
type Source = Reading['sources'][number];

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SpanReading: Reading;
    SpanDialect: Reading['dialects'][number];
    SpanSource: Source;
    SpanOutput: Reading['outputs'][number];
  }
  interface EnumValues {
    SpanSourceFate: Source['fate'];
  }
}

/** A span is read as often as it has attributes. */
const READING_COST = 2000;

/** Adds the field to spans, and the types of what it answers. */
export function addSpanReading(builder: Builder, load: SpanLoaders): void {
  addTypes(builder);
  builder.objectField('Span', 'reading', (t) =>
    t.field({
      type: 'SpanReading',
      nullable: true,
      cost: READING_COST,
      description: 'How this server’s mappings, which docs/dialects.md lists, read the span.',
      resolve: ({ rowId }, _args, context) => loadPart(load, context, rowId, 'reading'),
    }),
  );
}

function addTypes(builder: Builder): void {
  builder.objectType('SpanReading', {
    access: spanPolicy.read,
    fields: (t) => ({
      dialects: t.expose('dialects', {
        type: ['SpanDialect'],
        description: 'The dialects found in the span, in the order in which they translate.',
      }),
      sources: t.expose('sources', {
        type: ['SpanSource'],
        description: 'Everything that was sent and can be read, in the order sent.',
      }),
      outputs: t.expose('outputs', {
        type: ['SpanOutput'],
        description: 'Everything that dialects added, or read differently from how it was sent.',
      }),
      isComplete: t.exposeBoolean('isComplete', {
        description: 'False if the span has so many attributes or bytes that only part of it is explained.',
      }),
    }),
  });
  builder.objectType('SpanDialect', {
    access: spanPolicy.read,
    fields: (t) => ({
      name: t.exposeString('name'),
      title: t.exposeString('title'),
      evidence: t.exposeString('evidence', {
        nullable: true,
        description: 'The evidence for the dialect; null if it applies to every span.',
      }),
    }),
  });
  builder.enumType('SpanSourceFate', {
    values: {
      translated: { value: 'translated', description: 'Values shown under other names depend on it.' },
      openinference: { value: 'openinference', description: 'It has an OpenInference name and is shown under it.' },
      unused: { value: 'unused', description: 'It is recognised, but another source says the same or more.' },
      empty: { value: 'empty', description: 'It was sent as JSON without content.' },
      raw: { value: 'raw', description: 'It is not recognised and is shown as it was sent.' },
    } as const,
  });
  builder.objectType('SpanSource', {
    access: spanPolicy.read,
    fields: (t) => ({
      label: t.exposeString('label', {
        description: 'Key of an attribute, `prefix.*` for those of an indexed list; a description for anything else.',
      }),
      count: t.exposeInt('count', { description: 'How many attributes or fields the label stands for.' }),
      fate: t.expose('fate', { type: 'SpanSourceFate' }),
      to: t.exposeStringList('to', { description: 'Keys that are made from it or depend on it.' }),
      fault: t.exposeString('fault', {
        nullable: true,
        description: 'What could not be read; it is then shown as it was sent.',
      }),
    }),
  });
  builder.objectType('SpanOutput', {
    access: spanPolicy.read,
    fields: (t) => ({
      key: t.exposeString('key'),
      by: t.exposeStringList('by', { description: 'Names of the dialects that set it, in order.' }),
      from: t.exposeStringList('from', {
        description: 'Labels of the sources whose values it is made from; all of them if several say the same.',
      }),
      dependsOn: t.exposeStringList('dependsOn', { description: 'Labels of the sources that decide how it is read.' }),
    }),
  });
}
