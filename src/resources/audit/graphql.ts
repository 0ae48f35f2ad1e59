import type { Builder } from '#api/graphql/builder';
import { addConnectionTypes } from '#api/graphql/connection-types';
import { browse } from '#api/graphql/keyset';
import { defineRowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { AuditEvent } from '#domain/audit-event';
import type { TypeServices } from '../slice.ts';
import { positionOf, toAuditObjects } from './operations.ts';
import { auditPolicy } from './policy.ts';
import { keyIdOf, objectIdOf, userIdOf } from './present.ts';
import { findAuditEvents, listAuditEvents } from './queries.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    AuditEvent: AuditEvent;
  }
}

/** What the resolvers work with. */
type AuditServices = Pick<TypeServices, 'read' | 'load'>;

/** Adds the log of who did what. */
export function addAuditTypes({ builder, nodes }: SchemaKit, services: AuditServices): void {
  nodes.add(
    'AuditEvent',
    defineRowLoader((caller, rowIds) => findAuditEvents(services.read(caller), rowIds)),
  );
  addConnectionTypes(builder, 'AuditEvent', auditPolicy.list);
  const outcome = addOutcome(builder);
  addEvent(builder, services, outcome);
  addQuery(builder, services, outcome);
}

function addOutcome(builder: Builder) {
  return builder.enumType('AuditOutcome', {
    values: { DONE: { value: 'done' }, REFUSED: { value: 'refused' } } as const,
  });
}

type Outcome = ReturnType<typeof addOutcome>;

function addEvent(builder: Builder, { load }: AuditServices, outcome: Outcome): void {
  builder.objectType('AuditEvent', {
    description: 'Something that somebody did, or was refused.',
    access: auditPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      occurredAt: t.expose('occurredAtUs', { type: 'DateTime' }),
      outcome: t.field({ type: outcome, resolve: (event) => event.outcome }),
      operation: t.exposeString('operation'),
      count: t.exposeInt('count', { description: 'How often; refusals of the same kind are summed by minute.' }),
      callerKind: t.exposeString('callerKind'),
      callerName: t.exposeString('callerName', { nullable: true, description: 'The name then.' }),
      userId: t.string({
        nullable: true,
        description: 'The id of the account that acted, which may be deleted since.',
        resolve: userIdOf,
      }),
      keyId: t.string({
        nullable: true,
        description: 'The id of the personal key that the account acted by, which may be deleted since.',
        resolve: keyIdOf,
      }),
      keyName: t.string({ nullable: true, description: 'The name of that key.', resolve: ({ key }) => key?.name }),
      address: t.exposeString('address', { nullable: true }),
      objectType: t.string({ nullable: true, resolve: ({ object }) => object?.type }),
      objectId: t.string({
        nullable: true,
        description: 'The id of an object that may be deleted since.',
        resolve: objectIdOf,
      }),
      objectName: t.exposeString('objectName', { nullable: true, description: 'The name then.' }),
      project: t.field({
        type: 'Project',
        nullable: true,
        resolve: ({ projectRowId }, _args, context) =>
          projectRowId === null ? null : load.project(context, projectRowId),
      }),
      changes: t.stringList({ description: 'Names of what changed, never values.', resolve: ({ changes }) => changes }),
    }),
  });
}

function addQuery(builder: Builder, { read }: AuditServices, outcome: Outcome): void {
  const filter = builder.inputType('AuditEventFilter', {
    fields: (t) => ({
      operation: t.string(),
      outcome: t.field({ type: outcome }),
      callerName: t.string(),
      userId: t.id(),
      objectId: t.id(),
      timeRange: t.field({ type: 'TimeRange' }),
    }),
  });
  builder.queryFields((t) => ({
    auditEvents: t.field({
      type: 'AuditEventConnection',
      access: auditPolicy.list,
      description: 'Who did what, the latest first.',
      args: { first: t.arg.int({ required: true }), after: t.arg.string(), filter: t.arg({ type: filter }) },
      resolve: (_root, { filter: given, ...args }, { caller }) => {
        const { startTimeUs = null, endTimeUs = null } = toTimeBounds(given?.timeRange);
        const chosen = {
          operation: given?.operation ?? null,
          outcome: given?.outcome ?? null,
          callerName: given?.callerName ?? null,
          ...toAuditObjects({ userId: given?.userId, objectId: given?.objectId }),
          startUs: startTimeUs,
          endUs: endTimeUs,
        };
        return browse(ORDERS, { col: 'occurredAt', dir: 'desc' }, args, async ({ limit, after }) => {
          const events = await listAuditEvents(read(caller), chosen, { after, limit: limit + 1 });
          const rows = events.slice(0, limit);
          const last = events.length > limit ? rows.at(-1) : undefined;
          return { rows, next: last === undefined ? null : positionOf(last) };
        });
      },
    }),
  }));
}

const ORDERS = { occurredAt: { type: 'DATETIME', valueOf: (event: AuditEvent) => event.occurredAtUs } } as const;
