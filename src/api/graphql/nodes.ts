/** Things with a global id, and the way to any of them. */
import type { GraphQLSchema } from 'graphql';
import { AppError } from '#base/errors';
import { formatGlobalId, type GlobalIdType, parseGlobalId, splitGlobalId } from '#base/global-id';
import { graphqlPolicy } from '../policy.ts';
import { assertMayReadType } from './access.ts';
import type { Builder, NodeName, NodeRow, ObjectRows } from './builder.ts';
import { MAX_PAGE_ROWS } from './connection.ts';
import type { GraphqlContext } from './context.ts';
import type { Loader } from './loader.ts';

/** The node types, and how a row of each is read. */
export class NodeRegistry {
  readonly #loaders = new Map<GlobalIdType, Loader<number, NodeRow | undefined>>();
  readonly #loadersByName = new Map<GlobalIdType, Loader<string, NodeRow | undefined>>();
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
        resolve: async (_root, { id }, context, { schema }) => {
          const row = await this.#find(context, schema, id);
          if (row === undefined) throw new AppError('not_found', `There is no object with the id ${id}.`);
          return row;
        },
      }),
      nodes: t.field({
        type: ['Node'],
        access: graphqlPolicy.findNode,
        nullable: { list: false, items: true },
        args: { ids: t.arg.idList({ required: true }) },
        resolve: (_root, { ids }, context, { schema }) => {
          if (ids.length > MAX_PAGE_ROWS) {
            throw new AppError('invalid_argument', `At most ${MAX_PAGE_ROWS} ids can be given at once.`);
          }
          return ids.map((id) => this.#find(context, schema, id));
        },
      }),
    }));
  }

  /** Lets ids of the type lead to rows. A row that is not there is `undefined`. */
  add<Name extends NodeName>(type: Name, load: Loader<number, ObjectRows[Name] | undefined>): void {
    this.#loaders.set(type, load);
  }

  /** The same of a type whose ids hold a name. */
  addNamed<Name extends NodeName>(type: Name, load: Loader<string, ObjectRows[Name] | undefined>): void {
    this.#loadersByName.set(type, load);
  }

  /** Who may not read objects of a type does not learn either which of them there are. */
  async #find(context: GraphqlContext, schema: GraphQLSchema, id: string): Promise<NodeRow | undefined> {
    for (const [type, load] of this.#loaders) {
      const rowId = parseGlobalId(type, id);
      if (rowId === undefined) continue;
      assertMayReadType(context, schema, type);
      return this.#know(type, await load(context, rowId));
    }
    const { type, payload } = splitGlobalId(id) ?? {};
    for (const [known, load] of this.#loadersByName) {
      if (known !== type || payload === undefined) continue;
      assertMayReadType(context, schema, known);
      return this.#know(known, await load(context, payload));
    }
    throw new AppError('invalid_argument', 'This is not the id of any type of object.');
  }

  #know(type: GlobalIdType, row: NodeRow | undefined): NodeRow | undefined {
    if (row !== undefined) this.#typeOf.set(row, type);
    return row;
  }
}

/** The row id in an argument that must be an id of that type. @throws AppError `invalid_argument` */
export function toRowId(type: NodeName, id: string): number {
  const rowId = parseGlobalId(type, id);
  if (rowId === undefined) throw new AppError('invalid_argument', `This is not the id of a ${type}.`);
  return rowId;
}
