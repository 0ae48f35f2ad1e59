/** What the originals of spans hold: fields that open blocks, where a row does not say the same. */
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { loadOrThrow } from '#api/graphql/row-loader';
import { AppError } from '#base/errors';
import type { JsonValue } from '#base/json';
import type { SpanEventReport, SpanLinkReport, SpanTableRow } from '#store/spans/browse-port';
import type { SpanLoaders } from '../loaders.ts';
import { spanPolicy } from '../policy.ts';
import { loadPart, OPENS_ORIGINAL } from './load-part.ts';

/** An input or output of a span that has it. */
interface SpanValue {
  readonly span: SpanTableRow;
  readonly which: 'input' | 'output';
}

declare module '#api/graphql/builder' {
  interface ObjectRows {
    InstrumentationScope: { readonly name: string; readonly version: string };
    SpanEvent: SpanEventReport;
    SpanIOValue: SpanValue;
    SpanLink: SpanLinkReport;
  }
  interface EnumValues {
    MimeType: 'json' | 'text';
  }
}

/** Adds the fields to spans, and the types of what they answer. */
export function addWholeSpan(builder: Builder, load: SpanLoaders): void {
  addFields(builder, load);
  addTypes(builder, load);
}

function addFields(builder: Builder, load: SpanLoaders): void {
  const report = (context: GraphqlContext, rowId: number) => loadPart(load, context, rowId, 'report');
  builder.objectFields('Span', (t) => ({
    attributes: t.string({
      nullable: true,
      ...OPENS_ORIGINAL,
      description:
        'All attributes as nested JSON: those that were sent, and the OpenInference names that dialects translate them into. Embedding vectors are left out.',
      resolve: ({ rowId }, _args, context) => loadPart(load, context, rowId, 'attributes'),
    }),
    derivedAttributes: t.string({
      nullable: true,
      ...OPENS_ORIGINAL,
      description:
        'What was derived from the rest of the span, as a JSON object by dotted paths. Filters read these values as attributes; null hides an attribute.',
      resolve: ({ rowId }, _args, context) => loadPart(load, context, rowId, 'derived'),
    }),
    damage: t.string({
      nullable: true,
      ...OPENS_ORIGINAL,
      description:
        'Why the original of the span cannot be read; null if it can. Fields that need the original of a damaged span are null, each with an error.',
      resolve: async ({ rowId }, _args, context) => {
        const report = load.spanPart(context, { rowId, part: 'report' });
        return report.then(() => null, damageOf);
      },
    }),
    attributeTexts: t.stringList({
      ...OPENS_ORIGINAL,
      nullable: { list: true, items: true },
      description:
        'Single attributes by their dotted paths, in their order: texts as they are, other values as JSON, null where the span has none. Cheaper than all attributes.',
      args: {
        paths: t.arg.stringList({ required: true, description: `${MAX_ATTRIBUTE_PATHS} at most.` }),
        maxLength: t.arg.int({
          required: true,
          defaultValue: 200,
          description: 'Characters of a text; a longer one is cut and ends in `…`.',
        }),
      },
      resolve: async ({ rowId }, { paths, maxLength }, context) => {
        if (paths.length === 0) return [];
        assertFewPaths(paths, maxLength);
        const texts = await load.attributeTexts(context, { rowId, paths, maxLength });
        return texts === undefined ? paths.map(() => null) : [...texts];
      },
    }),
    statusMessage: t.string({
      nullable: true,
      ...OPENS_ORIGINAL,
      resolve: async ({ rowId }, _args, context) => (await report(context, rowId)).statusMessage,
    }),
    events: t.field({
      type: ['SpanEvent'],
      nullable: true,
      ...OPENS_ORIGINAL,
      resolve: async ({ rowId }, _args, context) => (await report(context, rowId)).events,
    }),
    links: t.field({
      type: ['SpanLink'],
      nullable: true,
      ...OPENS_ORIGINAL,
      resolve: async ({ rowId }, _args, context) => (await report(context, rowId)).links,
    }),
    linkedFrom: t.field({
      type: ['Span'],
      description: 'Spans of this and other traces that link to this span, at most 100.',
      resolve: async ({ rowId }, _args, context) => [...((await load.linkingSpans(context, rowId)) ?? [])],
    }),
    metadata: t.string({
      nullable: true,
      ...OPENS_ORIGINAL,
      resolve: async ({ rowId }, _args, context) => (await report(context, rowId)).metadata,
    }),
    tags: t.stringList({
      nullable: true,
      ...OPENS_ORIGINAL,
      resolve: async ({ rowId }, _args, context) => [...(await report(context, rowId)).tags],
    }),
    numDocuments: t.int({
      nullable: true,
      ...OPENS_ORIGINAL,
      resolve: async ({ rowId }, _args, context) => (await report(context, rowId)).documentCount,
    }),
    otelResource: t.string({
      description: 'Resource attributes as JSON text.',
      resolve: async ({ rowId }, _args, context) => (await loadOrThrow(load.spanSource, context, rowId)).resource,
    }),
    instrumentationScope: t.field({
      type: 'InstrumentationScope',
      resolve: async ({ rowId }, _args, context) => (await loadOrThrow(load.spanSource, context, rowId)).scope,
    }),
  }));
}

/** What is said of a damaged span. @throws whatever else is wrong */
function damageOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'data_damaged') return error.message;
  throw error;
}

/** Columns of a table. */
const MAX_ATTRIBUTE_PATHS = 20;
const MAX_PATH_LENGTH = 1024;
const MAX_TEXT_LENGTH = 1_000_000;

function assertFewPaths(paths: readonly string[], maxLength: number): void {
  if (paths.length > MAX_ATTRIBUTE_PATHS || paths.some(({ length }) => length > MAX_PATH_LENGTH)) {
    throw new AppError(
      'invalid_argument',
      `Ask for at most ${MAX_ATTRIBUTE_PATHS} paths of ${MAX_PATH_LENGTH} characters.`,
    );
  }
  if (maxLength >= 1 && maxLength <= MAX_TEXT_LENGTH) return;
  throw new AppError('invalid_argument', `maxLength must be between 1 and ${MAX_TEXT_LENGTH}.`);
}

function addTypes(builder: Builder, load: SpanLoaders): void {
  builder.enumType('MimeType', { values: ['json', 'text'] as const });
  builder.objectType('SpanIOValue', {
    access: spanPolicy.read,
    description:
      'A text of the span. `truncatedValue`, which costs nothing, is the beginning of the last message of a conversation in JSON, otherwise of the whole text. For model calls that end in calls of tools it reads `→ name(argument: value) +1`; where a tool spoke last, `← name: result`.',
    fields: (t) => ({
      mimeType: t.field({
        type: 'MimeType',
        resolve: ({ span, which }) => (span[which]?.isJson === true ? 'json' : 'text'),
      }),
      truncatedValue: t.string({ resolve: ({ span, which }) => span[which]?.start ?? '' }),
      value: t.string({
        ...OPENS_ORIGINAL,
        resolve: ({ span, which }, _args, context) => span[which]?.whole ?? loadValue(load, context, span.rowId, which),
      }),
    }),
  });
  builder.objectType('SpanEvent', {
    access: spanPolicy.read,
    fields: (t) => ({
      name: t.exposeString('name'),
      message: t.exposeString('message'),
      timestamp: t.expose('timeUs', { type: 'DateTime' }),
      attributes: t.field({ type: 'JSON', resolve: readAttributes }),
    }),
  });
  builder.objectType('SpanLink', {
    access: spanPolicy.read,
    fields: (t) => ({
      traceId: t.exposeID('traceId'),
      spanId: t.exposeID('spanId'),
      attributes: t.field({ type: 'JSON', resolve: readAttributes }),
      span: t.field({
        type: 'Span',
        nullable: true,
        description: 'Null if the other span is not stored.',
        resolve: (link, _args, context) => load.spanByIdentity(context, link),
      }),
    }),
  });
  builder.objectType('InstrumentationScope', {
    access: spanPolicy.read,
    fields: (t) => ({ name: t.exposeString('name'), version: t.exposeString('version') }),
  });
}

/** The object, which is counted as the text that it was: the answer does not say how large it is. */
function readAttributes(
  { attributes }: { readonly attributes: string },
  _args: object,
  { allowance }: GraphqlContext,
): JsonValue {
  return JSON.parse(allowance.takeText(attributes)) as JsonValue;
}

async function loadValue(
  load: SpanLoaders,
  context: GraphqlContext,
  rowId: number,
  which: 'input' | 'output',
): Promise<string> {
  return (await loadPart(load, context, rowId, 'values'))[which] ?? '';
}
