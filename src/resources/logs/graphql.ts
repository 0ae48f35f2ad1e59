import { addConnectionTypes } from '#api/graphql/connection-types';
import type { Builder } from '#api/graphql/builder';
import { browse, type Orders } from '#api/graphql/keyset';
import type { PageArguments } from '#api/graphql/connection';
import type { SchemaKit } from '#api/graphql/schema';
import type { Caller, ForCaller } from '#domain/caller';
import type { LogBrowser, LogRecordView, LogScope } from '#store/logs/port';
import { MAX_COUNTED_LOG_RECORDS } from '#store/logs/port';
import type { LogLoaders } from './loaders.ts';
import { logPolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    LogRecord: LogRecordView;
  }
}

/** What the resolvers of log records work with. */
export interface LogTypeParts {
  readonly spans: ForCaller<LogBrowser>;
  readonly load: LogLoaders;
}

/** What opening a block costs, beside what a row does. */
const WHOLE_RECORD_COST = 10;

const ORDERS: Orders<'time' | 'arrival', LogRecordView> = {
  time: { type: 'DATETIME', valueOf: (row) => row.timeUs ?? 0 },
  arrival: { type: null, valueOf: () => null },
};

/** Adds log records, and the lists of them that spans, traces and projects have. */
export function addLogTypes({ builder, nodes }: SchemaKit, { spans, load }: LogTypeParts): void {
  nodes.add('LogRecord', load.logRecord);
  addConnectionTypes(builder, 'LogRecord', logPolicy.list);
  addLogRecord(builder);
  const list = (caller: Caller, scope: LogScope, args: PageArguments) => {
    const sort =
      'projectRowId' in scope ? ({ col: 'arrival', dir: 'desc' } as const) : ({ col: 'time', dir: 'asc' } as const);
    return browse(ORDERS, sort, args, ({ limit, after }) => spans(caller).browseLogRecords(scope, { limit, after }));
  };
  builder.objectFields('Span', (t) => ({
    logRecords: t.field({
      type: 'LogRecordConnection',
      access: logPolicy.list,
      cost: WHOLE_RECORD_COST,
      description: 'Log records that belong to the span, earliest first.',
      args: { first: t.arg.int({ defaultValue: 50 }), after: t.arg.string() },
      resolve: ({ rowId: spanRowId }, args, { caller }) => list(caller, { spanRowId }, args),
    }),
  }));
  builder.objectFields('Trace', (t) => ({
    numUnattachedLogRecords: t.int({
      access: logPolicy.list,
      description: `Number of log records of the trace that belong to none of its spans; ${MAX_COUNTED_LOG_RECORDS} stands for that many or more.`,
      resolve: async ({ rowId }, _args, context) => (await load.unattachedLogCount(context, rowId)) ?? 0,
    }),
    unattachedLogRecords: t.field({
      type: 'LogRecordConnection',
      access: logPolicy.list,
      cost: WHOLE_RECORD_COST,
      description: 'The same log records, earliest first.',
      args: { first: t.arg.int({ defaultValue: 50 }), after: t.arg.string() },
      resolve: ({ rowId: traceRowId }, args, { caller }) => list(caller, { traceRowId }, args),
    }),
  }));
  builder.objectFields('Project', (t) => ({
    unattachedLogRecords: t.field({
      type: 'LogRecordConnection',
      access: logPolicy.list,
      cost: WHOLE_RECORD_COST,
      description: 'Log records that arrived for the project and belong to no span, the latest first.',
      args: { first: t.arg.int({ defaultValue: 50 }), after: t.arg.string() },
      resolve: ({ rowId: projectRowId }, args, { caller }) => list(caller, { projectRowId }, args),
    }),
  }));
}

function addLogRecord(builder: Builder): void {
  builder.objectType('LogRecord', {
    access: logPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      timestamp: t.expose('timeUs', { type: 'DateTime', nullable: true }),
      eventName: t.exposeString('eventName', { nullable: true, description: 'Null for a plain log record.' }),
      severity: t.exposeString('severity', {
        description: 'The severity as the application names it; empty if it does not.',
      }),
      body: t.string({
        nullable: true,
        description: 'The text itself, or JSON for any other value.',
        resolve: ({ body }) => body,
      }),
      attributes: t.exposeString('attributes', { description: 'JSON text.' }),
      damage: t.exposeString('damage', {
        nullable: true,
        description:
          'Why the log record cannot be read; null if it can. A damaged one has no severity, body and attributes.',
      }),
      traceId: t.exposeID('traceId', { nullable: true }),
      spanId: t.exposeID('spanId', { nullable: true }),
      instrumentationScope: t.field({ type: 'InstrumentationScope', resolve: ({ scope }) => scope }),
    }),
  });
}
