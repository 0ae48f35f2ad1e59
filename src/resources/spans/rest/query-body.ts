/** What a query of data frames may be. */
import { z } from 'zod';
import { UnprocessableError } from '#api/rest/unprocessable';
import { parseTimestamp } from '#domain/timestamp';
import type { FrameMember, FrameQuery, FrameSelection, FrameSource } from '#store/spans/frame';
import { parseSource, unaliased } from '../present/frames/source.ts';

/** Names with dots between them, and subscripts, as in `metadata['topic']`. */
const KEY_PATTERN =
  '^[^\\[\\].\'"\\s][^\\[\\].\'"\\n]*(?:\\.[^\\[\\].\'"\\n]+|\\[(?:\'[^\\[\\].\'"\\\\\\n]+\'|"[^\\[\\].\'"\\\\\\n]+"|[0-9]{1,9})\\])*$';

const LABEL = z.string().max(1024);
const KEY = z
  .string()
  .max(1024)
  .meta({ pattern: KEY_PATTERN })
  .describe('A field (`name`, `start_time` …) or an attribute (`llm.model_name`).');
const MEMBERS = z.record(LABEL, KEY).describe('Keys inside the elements, by the labels of their columns.');
const TIME = z
  .union([z.string(), z.number()])
  .transform((value, context) => {
    const time = parseTimestamp(String(value));
    if (time !== undefined) return time;
    context.addIssue({ code: 'custom', message: 'Input should be a valid datetime' });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time' });

const QUERY = z
  .object({
    select: z
      .record(LABEL, z.object({ key: KEY }))
      .nullish()
      .describe('Columns by their labels.'),
    filter: z.object({ condition: z.string().nullish() }).nullish(),
    explode: z
      .object({ key: KEY.nullish(), kwargs: MEMBERS.nullish(), primary_index_key: KEY.nullish() })
      .nullish()
      .describe('A row for each element of a list.'),
    concat: z
      .object({ key: KEY.nullish(), kwargs: MEMBERS.nullish(), separator: z.string().max(1024).nullish() })
      .nullish()
      .describe('The texts of all elements of a list in one.'),
    rename: z.record(LABEL, LABEL).nullish(),
    index: z.object({ key: KEY.nullish() }).nullish(),
  })
  .meta({ id: 'SpanQuery' });

/** The body of a request. */
export const QUERY_BODY = z.object({
  queries: z.array(QUERY).max(16),
  start_time: TIME.nullish().describe('Only spans that start at this time or later.'),
  end_time: TIME.nullish().describe('Only spans that start before this time.'),
  stop_time: TIME.nullish().describe('Same as `end_time`.'),
  limit: z.int().min(0).nullish().describe('Maximum number of spans for each query; 1000 by default.'),
  root_spans_only: z.boolean().nullish(),
  orphan_span_as_root_span: z
    .boolean()
    .nullish()
    .describe('Whether a span whose parent is not stored counts as a root.'),
  project_name: z.string().nullish(),
});

/** One query as it is sent. */
export type SentQuery = z.output<typeof QUERY>;

const DEFAULT_INDEX = 'context.span_id';
const DOCUMENTS = 'retrieval.documents';

/** What the query means. @throws UnprocessableError naming what is no key */
export function toFrameQuery({ select, explode, concat, rename, index }: SentQuery): FrameQuery {
  const isExploded = (explode?.key ?? '') !== '';
  const isConcatenated = (concat?.key ?? '') !== '';
  const selections = Object.entries(select ?? {}).map(([label, { key }]): FrameSelection => {
    return { label: unaliased(label), source: readKey(key) };
  });
  const indexKey = (isExploded ? explode?.primary_index_key : undefined) || index?.key || DEFAULT_INDEX;
  return {
    select: selections.length === 0 && !isExploded && !isConcatenated ? null : selections,
    explode: isExploded ? toExplosion(explode?.key ?? '', explode?.kwargs ?? {}) : null,
    concat: isConcatenated
      ? {
          source: readKey(concat?.key ?? ''),
          label: concat?.key ?? '',
          members: toMembers(concat?.kwargs ?? {}),
          separator: concat?.separator ?? '\n\n',
        }
      : null,
    index: { label: unaliased(indexKey), source: readKey(indexKey) },
    rename: new Map(Object.entries(rename ?? {}).map(([label, other]) => [unaliased(label), other])),
  };
}

function toExplosion(key: string, kwargs: Readonly<Record<string, string>>): NonNullable<FrameQuery['explode']> {
  const source = readKey(key);
  const isDocuments = source.kind === 'attribute' && source.path === DOCUMENTS;
  return { source, members: toMembers(kwargs), position: isDocuments ? 'document_position' : 'position' };
}

function toMembers(kwargs: Readonly<Record<string, string>>): readonly FrameMember[] {
  return Object.entries(kwargs).map(([label, path]) => ({ label, path }));
}

function readKey(key: string): FrameSource {
  const source = parseSource(key);
  if (source !== undefined) return source;
  throw new UnprocessableError(`Invalid query: ${key} is neither a field nor the dotted key of an attribute.`);
}
