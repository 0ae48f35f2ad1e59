/** A small schema on the kit, for its tests: projects that count how they are read, and fields for each kind of trouble. */
import type { GraphQLSchema } from 'graphql';
import { currentSignal } from '#base/cancellation';
import { AppError } from '#base/errors';
import type { Permission } from '#domain/access';
import { toConnection } from './connection.ts';
import { addConnectionTypes } from './connection-types.ts';
import { defineLoader } from './loader.ts';
import { buildSchema } from './schema.ts';
import { testPolicy } from '../test-policy.fixture.ts';

/** How the example behaves. */
export interface Example {
  /** Each batch that was read. */
  readonly reads: (readonly number[])[];
  /** What `wait`, `slow` and `lateEvents` wait for. */
  readonly gate?: Promise<unknown>;
  /** Called where nobody needs the answer of `wait` any more. */
  readonly onUnneeded?: () => void;
  /** What `events` and `lateEvents` answer. */
  readonly events?: () => AsyncIterable<number>;
}

const BOOK = 'x'.repeat(64 * 1024 * 1024);

/** Rows 1 to 9 exist. Each has 400 friends, and a book of 64 Mi characters. */
export function exampleSchema({
  reads,
  gate,
  onUnneeded = () => undefined,
  events = noEvents,
}: Example): GraphQLSchema {
  return buildSchema([
    ({ builder, nodes }) => {
      const load = defineLoader(async (_caller, rowIds: readonly number[]) => {
        reads.push(rowIds);
        // The rows of the slices are richer; the example needs none of it.
        return rowIds.map((rowId) => (rowId < 10 ? ({ rowId, name: `row ${rowId}` } as never) : undefined));
      });
      nodes.add('Project', load);
      addConnectionTypes(builder, 'Project', testPolicy.read);
      builder.objectType('Project', {
        access: testPolicy.read,
        interfaces: ['Node'],
        fields: (t) => ({
          name: t.exposeString('name'),
          next: t.field({
            type: 'Project',
            nullable: true,
            resolve: ({ rowId }, _args, context) => load(context, rowId + 1),
          }),
          secret: t.string({ access: testPolicy.manage, resolve: () => 'hidden' }),
          refused: t.string({
            resolve: async () => {
              throw new AppError('permission_denied', 'No.');
            },
          }),
          self: t.field({ type: 'Project', resolve: (row) => row }),
          broken: t.string({
            nullable: true,
            resolve: () => {
              throw new TypeError('broken');
            },
          }),
          friends: t.field({
            type: ['Project'],
            resolve: ({ rowId }) => Array.from({ length: 400 }, () => ({ rowId }) as never),
          }),
          friendsPage: t.field({
            type: 'ProjectConnection',
            args: { first: t.arg.int({ defaultValue: 400 }) },
            resolve: ({ rowId }) => {
              const edges = Array.from({ length: 400 }, () => ({ node: { rowId } as never, cursor: '' }));
              return toConnection(edges, { after: null, hasNextPage: false });
            },
          }),
          book: t.string({ resolve: () => BOOK }),
          sum: t.int({ cost: 1000, resolve: () => 0 }),
          slow: t.boolean({ resolve: async () => (await gate) === undefined }),
        }),
      });
      builder.queryFields((t) => ({
        projects: t.field({
          access: testPolicy.read,
          type: 'ProjectConnection',
          args: { first: t.arg.int({ required: true }) },
          resolve: async (_root, { first }, context) => {
            const rows = await Promise.all(Array.from({ length: first }, (_, index) => load(context, index + 1)));
            const edges = rows.map((node) => ({ node: node as never, cursor: '' }));
            return toConnection(edges, { after: null, hasNextPage: false });
          },
        }),
        pages: t.field({
          access: testPolicy.read,
          type: 'ProjectConnection',
          args: { first: t.arg.int({ defaultValue: 50 }) },
          resolve: () => toConnection<never>([], { after: null, hasNextPage: false }),
        }),
        time: t.field({
          access: testPolicy.read,
          type: 'DateTime',
          args: { at: t.arg({ type: 'DateTime', required: true }) },
          resolve: (_root, { at }) => at,
        }),
        echo: t.string({
          access: testPolicy.read,
          args: { text: t.arg.string({ required: true }) },
          resolve: (_root, { text }) => text,
        }),
        refuse: t.string({
          access: testPolicy.read,
          resolve: () => {
            throw new AppError('already_exists', 'There is one already.', { cause: new Error('inside') });
          },
        }),
        fail: t.string({
          access: testPolicy.read,
          nullable: true,
          resolve: () => {
            throw new TypeError('the password is hunter2');
          },
        }),
        wait: t.boolean({
          access: testPolicy.read,
          resolve: async () => {
            currentSignal()?.addEventListener('abort', onUnneeded, { once: true });
            return (await gate) === undefined;
          },
        }),
      }));
      builder.mutationType({
        fields: (t) => ({ change: t.field({ access: testPolicy.write, type: 'Query', resolve: () => ({}) }) }),
      });
      builder.subscriptionType({
        fields: (t) => {
          const watching = (
            subscribe: () => AsyncIterable<number> | Promise<AsyncIterable<number>>,
            access = testPolicy.read,
          ) =>
            t.field({
              access,
              type: 'Project',
              subscribe,
              resolve: async (event, _args, context) => (await load(context, event)) as never,
            });
          return {
            events: watching(events),
            secretEvents: watching(events, testPolicy.manage),
            lateEvents: watching(async () => {
              await gate;
              return events();
            }),
          };
        },
      });
    },
  ]);
}

async function* noEvents(): AsyncGenerator<number> {}

/** A type whose declaration leaves out who may read it, as only plain JavaScript could. */
export function schemaWithoutAccess(): GraphQLSchema {
  return buildSchema([
    ({ builder }) => {
      const access = undefined as unknown as Permission;
      builder.objectType('Project', { access, fields: (t) => ({ name: t.exposeString('name') }) });
    },
  ]);
}
