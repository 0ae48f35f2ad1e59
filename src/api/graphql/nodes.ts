/** Things with a global id, and the way to any of them. */
import { AppError } from '#base/errors';
import { formatGlobalId, type GlobalIdType, parseGlobalId } from '#base/global-id';
import { graphqlPolicy } from '../policy.ts';
import type { Builder, NodeName, NodeRow, ObjectRows } from './builder.ts';
import { MAX_PAGE_ROWS } from './connection.ts';
import type { GraphqlContext } from './context.ts';
import type { Loader } from './loader.ts';

/** The node types, and how a row of each is read. */
export class NodeRegistry {
  readonly #loaders = new Map<GlobalIdType, Loader<number, NodeRow | undefined>>();
  /** A row does not say its type. */
  readonly #typeOf = new WeakMap<NodeRow, GlobalIdType>();

  /** Adds the interface, `node` and `nodes` to the schema. */
  constructor(builder: Builder) {
    builder.interfaceType('Node', {
      description: 'An object with a global id.',
      resolveType: (row) => this.#typeOf.get(row),
      fields: (t) => ({
        id: t.id({
          resolve: ({ rowId }, _args, _context, info) => formatGlobalId(info.parentType.name as GlobalIdType, rowId),
        }),
      }),
    });
    builder.queryFields((t) => ({
      node: t.field({
        type: 'Node',
        access: graphqlPolicy.findNode,
        args: { id: t.arg.id({ required: true }) },
        resolve: async (_root, { id }, context) => {
          const row = await this.#find(context, id);
          if (row === undefined) throw new AppError('not_found', `There is no object with the id ${id}.`);
          return row;
        },
      }),
      nodes: t.field({
        type: ['Node'],
        access: graphqlPolicy.findNode,
        nullable: { list: false, items: true },
        args: { ids: t.arg.idList({ required: true }) },
        resolve: (_root, { ids }, context) => {
          if (ids.length > MAX_PAGE_ROWS) {
            throw new AppError('invalid_argument', `At most ${MAX_PAGE_ROWS} ids can be given at once.`);
          }
          return ids.map((id) => this.#find(context, id));
        },
      }),
    }));
  }

  /** Lets ids of the type lead to rows. A row that is not there is `undefined`. */
  add<Name extends NodeName>(type: Name, load: Loader<number, ObjectRows[Name] | undefined>): void {
    this.#loaders.set(type, load);
  }

  async #find(context: GraphqlContext, id: string): Promise<NodeRow | undefined> {
    for (const [type, load] of this.#loaders) {
      const rowId = parseGlobalId(type, id);
      if (rowId === undefined) continue;
      const row = await load(context, rowId);
      if (row !== undefined) this.#typeOf.set(row, type);
      return row;
    }
    throw new AppError('invalid_argument', 'This is not the id of any type of object.');
  }
}

/** The row id in an argument that must be an id of that type. @throws AppError `invalid_argument` */
export function toRowId(type: NodeName, id: string): number {
  const rowId = parseGlobalId(type, id);
  if (rowId === undefined) throw new AppError('invalid_argument', `This is not the id of a ${type}.`);
  return rowId;
}
