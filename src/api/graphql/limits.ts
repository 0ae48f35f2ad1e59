/**
 * Bounds on what one operation may ask for, counted before anything of it runs. A fragment is walked once, so that counting
 * costs no more than the text is long. The document must be valid: its fields exist, its fragments form no circle.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { AppError } from '#base/errors';
import { MAX_PAGE_ROWS } from './connection.ts';

/** Levels of fields within fields. */
const MAX_DEPTH = 20;

/** Fields that are given another name. */
const MAX_ALIASES = 50;

/**
 * Values of the answer, at the most that there can be. A page of 1000 spans with 50 fields each is a fifth of it; the
 * whole of it keeps the main thread for half a second.
 */
export const MAX_COST = 250_000;

/** The same of one event of a subscription, of which a hundred may be answered four times a second. */
export const MAX_EVENT_COST = 5000;

/**
 * How often an operation may ask for as much of the schema as programs do that read all of it: a bound that grows with the
 * schema.
 */
const MAX_INTROSPECTIONS = 2;

/** Values in a list that has no page. */
const ASSUMED_LIST_LENGTH = 10;

/** Variables by name, as they were sent. */
export type Variables = Readonly<Record<string, unknown>>;

/** @throws AppError `invalid_argument` where the operation asks for more than one may */
export function assertWithinLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): void {
  const counter = new Counter(schema, document, operation, variables);
  const { depth, cost, schemaCost } = counter.weigh(operation.selectionSet, schema.getRootType(operation.operation));
  const maxCost = operation.operation === OperationTypeNode.SUBSCRIPTION ? MAX_EVENT_COST : MAX_COST;
  const problem =
    depth > MAX_DEPTH
      ? `The operation is ${depth} levels deep; the limit is ${MAX_DEPTH}.`
      : counter.aliasCount > MAX_ALIASES
        ? `The operation has ${counter.aliasCount} aliases; the limit is ${MAX_ALIASES}.`
        : cost > maxCost
          ? `The operation can return ${cost} values; the limit is ${maxCost}. Ask for smaller pages.`
          : schemaCost > 0 && schemaCost > maxSchemaCost(schema)
            ? 'The operation asks for more of the schema than there is. Ask for each part once.'
            : undefined;
  if (problem !== undefined) throw new AppError('invalid_argument', problem);
}

const schemaCosts = new WeakMap<GraphQLSchema, number>();

function maxSchemaCost(schema: GraphQLSchema): number {
  const known = schemaCosts.get(schema);
  if (known !== undefined) return known;
  const document = parse(getIntrospectionQuery());
  const maxCost = document.definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => new Counter(schema, document, node, {}).weigh(node.selectionSet, schema.getQueryType()).schemaCost)
    .reduce((sum, whole) => sum + MAX_INTROSPECTIONS * whole, 0);
  schemaCosts.set(schema, maxCost);
  return maxCost;
}

interface Weight {
  readonly depth: number;
  readonly cost: number;
  /** The same of what is asked for of the schema itself. */
  readonly schemaCost: number;
}

type FieldsType = GraphQLObjectType | GraphQLInterfaceType;

class Counter {
  aliasCount = 0;
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #weights = new Map<string, Weight>();
  readonly #variables: Variables;

  constructor(
    schema: GraphQLSchema,
    { definitions }: DocumentNode,
    { variableDefinitions = [] }: OperationDefinitionNode,
    variables: Variables,
  ) {
    this.#schema = schema;
    this.#fragments = new Map(
      definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
    );
    const defaults: [string, unknown][] = variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      readLiteral(defaultValue),
    ]);
    this.#variables = { ...Object.fromEntries(defaults), ...variables };
  }

  /** What a selection weighs. */
  weigh({ selections }: SelectionSetNode, type: FieldsType | undefined | null): Weight {
    let depth = 0;
    let cost = 0;
    let schemaCost = 0;
    for (const selection of selections) {
      const weight =
        selection.kind === Kind.FIELD
          ? this.#weighField(selection, type && this.#schema.getField(type, selection.name.value), type)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? this.#weighFragment(selection.name.value)
            : this.weigh(selection.selectionSet, this.#typeOf(selection.typeCondition?.name.value) ?? type);
      depth = Math.max(depth, weight.depth);
      cost += weight.cost;
      schemaCost += weight.schemaCost;
    }
    return { depth, cost, schemaCost };
  }

  #weighField(
    node: FieldNode,
    field: GraphQLField<unknown, unknown> | undefined | null,
    parent: FieldsType | undefined | null,
  ): Weight {
    if (node.alias !== undefined) this.aliasCount++;
    const own = typeof field?.extensions['cost'] === 'number' ? field.extensions['cost'] : 1;
    const isOfSchema = parent != null && isIntrospectionType(parent);
    const alone = isOfSchema ? { depth: 1, cost: 0, schemaCost: own } : { depth: 1, cost: own, schemaCost: 0 };
    if (node.selectionSet === undefined) return alone;
    const named = field == null ? undefined : getNamedType(field.type);
    const type = isObjectType(named) || isInterfaceType(named) ? named : undefined;
    const { depth, cost, schemaCost } = this.weigh(node.selectionSet, type);
    const times = field == null || parent == null ? 1 : this.#lengthOf(node, field, parent);
    return { depth: 1 + depth, cost: alone.cost + times * cost, schemaCost: alone.schemaCost + times * schemaCost };
  }

  #weighFragment(name: string): Weight {
    const known = this.#weights.get(name);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    const weight =
      fragment === undefined
        ? { depth: 0, cost: 0, schemaCost: 0 }
        : this.weigh(fragment.selectionSet, this.#typeOf(fragment.typeCondition.name.value));
    this.#weights.set(name, weight);
    return weight;
  }

  /** How many values the field can have. The edges of a connection were counted at the field that it came from. */
  #lengthOf(node: FieldNode, field: GraphQLField<unknown, unknown>, parent: FieldsType): number {
    if (field.args.some(({ name }) => name === 'first')) {
      const pageSize = this.#numberOf(node, 'first') ?? this.#numberOf(node, 'last');
      // Whoever sends null means no default, but everything.
      return pageSize ?? (this.#argument(node, 'first') === null ? undefined : defaultFirst(field)) ?? MAX_PAGE_ROWS;
    }
    if (!isListType(getNullableType(field.type)) || parent.name.endsWith('Connection')) return 1;
    if (parent.name === '__Schema' && field.name === 'types') return Object.keys(this.#schema.getTypeMap()).length;
    return this.#listLength(node, 'ids') ?? ASSUMED_LIST_LENGTH;
  }

  #numberOf(node: FieldNode, argumentName: string): number | undefined {
    const value = this.#argument(node, argumentName);
    return typeof value === 'number' && value >= 0 ? value : undefined;
  }

  #listLength(node: FieldNode, argumentName: string): number | undefined {
    const value = this.#argument(node, argumentName);
    return Array.isArray(value) ? value.length : undefined;
  }

  #argument(node: FieldNode, name: string): unknown {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    return value?.kind === Kind.VARIABLE ? this.#variables[value.name.value] : readLiteral(value);
  }

  #typeOf(name: string | undefined): FieldsType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type : undefined;
  }
}

/** A number, null, or a list of whatever it has; nothing else is counted by. */
function readLiteral(value: ValueNode | undefined): unknown {
  if (value?.kind === Kind.INT) return Number(value.value);
  if (value?.kind === Kind.NULL) return null;
  return value?.kind === Kind.LIST ? value.values : undefined;
}

function defaultFirst({ args }: GraphQLField<unknown, unknown>): number | undefined {
  const argument = args.find(({ name }) => name === 'first');
  const value = argument?.default?.value ?? argument?.defaultValue;
  return typeof value === 'number' ? value : undefined;
}
