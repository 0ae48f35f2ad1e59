/**
 * Ends pages where what their fields hold becomes too large together, as lists over REST do: what the large fields of all rows need is
 * loaded before the page is answered, and the first row of which something was left out is the first of the next page.
 */
import {
  type FieldNode,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Connection } from './connection.ts';
import type { GraphqlContext } from './context.ts';
import { LeftOutError } from './left-out.ts';

/** What a field says of itself. */
export interface FieldReading {
  /** Its resolver, without what is done around it. */
  readonly read?: GraphQLFieldResolver<unknown, object, object> | undefined;
  /** Whether what it answers may be large, and is read with that of others. */
  readonly isLarge?: boolean | undefined;
}

/** A field that may be large, or leads to fields that may. */
interface LargeField {
  readonly read: NonNullable<FieldReading['read']>;
  readonly args: object;
  readonly below: readonly LargeField[];
}

/** As much of a page as fits; what is no page of several rows, or has no large fields, as it is. */
export function fitPage(answer: unknown, context: GraphqlContext, info: GraphQLResolveInfo): unknown {
  const page = (answer ?? {}) as Partial<Connection<unknown>>;
  if (page.edges === undefined || page.edges.length < 2) return answer;
  const fields = largeFieldsOf(info);
  return fields.length === 0 ? answer : endBeforeLeftOut(page as Connection<unknown>, fields, context, info);
}

async function endBeforeLeftOut(
  page: Connection<unknown>,
  fields: readonly LargeField[],
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): Promise<Connection<unknown>> {
  const { edges, pageInfo } = page;
  const load = () => Promise.all(edges.map(({ node }) => open(fields, node, context, info)));
  let isLeftOut = await load();
  // Pages that are asked for in the same moment are read together. One that has nothing of that is read again by itself.
  if (isLeftOut[0] === true) isLeftOut = await inTurn(context, load);
  const end = isLeftOut.indexOf(true, 1);
  if (end === -1) return page;
  const kept = edges.slice(0, end);
  const endCursor = kept.at(-1)?.cursor ?? null;
  return { ...page, edges: kept, pageInfo: { ...pageInfo, hasNextPage: true, endCursor } };
}

async function inTurn<Result>(context: GraphqlContext, load: () => Promise<Result>): Promise<Result> {
  const before = lastPages.get(context);
  const loading = before === undefined ? load() : before.then(load);
  lastPages.set(
    context,
    loading.catch(() => undefined),
  );
  return loading;
}

const lastPages = new WeakMap<GraphqlContext, Promise<unknown>>();

/** Loads what the fields of a row need; tells whether some of it was left out. What fails otherwise does so again where it is asked for. */
async function open(
  fields: readonly LargeField[],
  row: unknown,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): Promise<boolean> {
  const opened = fields.map(async ({ read, args, below }) => {
    try {
      const value = await read(row, args, context, info);
      return below.length > 0 && value != null && (await open(below, value, context, info));
    } catch (error) {
      return error instanceof LeftOutError;
    }
  });
  return (await Promise.all(opened)).includes(true);
}

function largeFieldsOf(info: GraphQLResolveInfo): readonly LargeField[] {
  const walk = new SelectionWalk(info);
  let type = getNamedType(info.returnType);
  let selections = info.fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  for (const name of ['edges', 'node']) {
    if (!isObjectType(type)) return [];
    const field = type.getFields()[name];
    if (field === undefined) return [];
    const nodes = walk.fieldsOf(selections, type).filter((node) => node.name.value === name);
    selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    type = getNamedType(field.type);
  }
  return isObjectType(type) ? walk.findLarge(selections, type) : [];
}

/** Fields that are looked at; a document may repeat its fragments more often than can be followed. */
const MAX_FIELDS = 2000;

class SelectionWalk {
  readonly #info: GraphQLResolveInfo;
  #left = MAX_FIELDS;

  constructor(info: GraphQLResolveInfo) {
    this.#info = info;
  }

  /** Those of the object and of what it leads to, but for pages and lists of it. */
  findLarge(selections: readonly SelectionSetNode[], type: GraphQLObjectType): readonly LargeField[] {
    return this.fieldsOf(selections, type).flatMap((node) => {
      const field = type.getFields()[node.name.value];
      const { read, isLarge = false }: FieldReading = field?.extensions ?? {};
      if (field === undefined || read === undefined) return [];
      const below = isLarge || node.selectionSet === undefined ? [] : this.#findBelow(field, node.selectionSet);
      if (!isLarge && below.length === 0) return [];
      return { read, args: getArgumentValues(field, node, this.#info.variableValues), below };
    });
  }

  #findBelow(field: GraphQLField<unknown, unknown>, selection: SelectionSetNode): readonly LargeField[] {
    const type = getNullableType(field.type);
    const isPage = field.args.some(({ name }) => name === 'first');
    return isObjectType(type) && !isPage ? this.findLarge([selection], type) : [];
  }

  /** The fields of an object that are asked for, those of fragments among them. */
  fieldsOf(selections: readonly SelectionSetNode[], type: GraphQLObjectType): readonly FieldNode[] {
    return selections.flatMap(({ selections: nodes }) =>
      nodes.flatMap((node): readonly FieldNode[] => {
        if (--this.#left < 0 || this.#isLeftAway(node)) return [];
        if (node.kind === Kind.FIELD) return [node];
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#info.fragments[node.name.value] : node;
        if (fragment === undefined || !this.#isOf(fragment.typeCondition?.name.value, type)) return [];
        return this.fieldsOf([fragment.selectionSet], type);
      }),
    );
  }

  #isLeftAway(node: SelectionSetNode['selections'][number]): boolean {
    const { variableValues } = this.#info;
    if (node.directives === undefined || node.directives.length === 0) return false;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] === true) return true;
    return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] === false;
  }

  #isOf(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const { schema } = this.#info;
    const other = schema.getType(condition);
    return isAbstractType(other) && schema.isSubType(other, type);
  }
}
