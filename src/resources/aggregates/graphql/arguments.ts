/** Arguments that fields of counts and charts share. */
import type { Builder } from '#api/graphql/builder';
import { BUCKET_UNITS, type BucketUnit } from '#store/aggregates/buckets';
import type { BucketArguments } from '../operations/questions.ts';

declare module '#api/graphql/builder' {
  interface EnumValues {
    TimeBinScale: BucketUnit;
  }
}

/** What a field of such a chart costs beside its numbers: it may read columns of all spans of a project. */
export const CHART_COST = 1000;

/** What a number of sessions costs: all sessions of a project are read. */
export const SESSION_COST = 20;

/** In the words of the schema. */
export const FILTER_DESCRIPTION = 'A filter in the filter language for spans.';
export const TRACE_FILTER_DESCRIPTION = 'A filter in the filter language for traces: only those that match.';
export const SESSION_FILTER_DESCRIPTION = 'A filter in the filter language for sessions: only those that match.';

/** Of answers that may be in part. */
export const PARTIAL_DESCRIPTION = 'Whether time ran out: the numbers then cover only the newest.';
export const SHARE_DESCRIPTION = 'Share of the data that was read.';

/** Adds the units of buckets; they are named by `TimeBinConfig` and `TimeBuckets`. */
export function addBucketInputs(builder: Builder) {
  builder.enumType('TimeBinScale', { values: BUCKET_UNITS });
  const timeZone =
    'A time zone of the IANA database, such as Europe/Berlin, in which days begin; overrides `utcOffsetMinutes`.';
  const offset = 'Minutes by which clocks are ahead of UTC, in summer and winter alike.';
  const config = builder.inputRef<BucketArguments>('TimeBinConfig').implement({
    fields: (t) => ({
      scale: t.field({ type: 'TimeBinScale', required: true, defaultValue: 'HOUR' }),
      utcOffsetMinutes: t.int({ required: true, defaultValue: 0, description: offset }),
      timeZone: t.string({ description: timeZone }),
    }),
  });
  const buckets = builder.inputRef<BucketArguments>('TimeBuckets').implement({
    fields: (t) => ({
      scale: t.field({
        type: 'TimeBinScale',
        description: 'If omitted, the range decides: 200 buckets at most.',
      }),
      timeZone: t.string({ description: timeZone }),
      utcOffsetMinutes: t.int({ description: offset }),
    }),
  });
  return { config, buckets };
}

/** Both ways to ask for buckets. */
export type BucketInputs = ReturnType<typeof addBucketInputs>;
