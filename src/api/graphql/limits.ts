/**
 * Bounds on what a document says, counted before anything of it runs; what its answer holds is counted while it is made
 * (`allowance.ts`). A fragment is walked once, so that counting costs no more than the text is long. The document must be
 * valid: its fields exist, its fragments form no circle.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { AppError } from '#base/errors';

/** Levels of fields within fields. */
const MAX_DEPTH = 20;

/** Fields that are given another name. */
const MAX_ALIASES = 50;

/**
 * How often an operation may ask for as much of the schema as programs do that read all of it: a bound that grows with the
 * schema.
 */
const MAX_INTROSPECTIONS = 2;

/** Fields of a type, arguments of a field and the like, in most places. */
const ASSUMED_LIST_LENGTH = 10;

/** What the answer of an operation has that no resolver of ours counts. */
export interface Uncounted {
  /** Other names that are given to `__typename`. */
  readonly namesOfObject: number;
}

/** @throws AppError `invalid_argument` where the operation asks for more than one may */
export function assertWithinLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Uncounted {
  const counter = new Counter(schema, document);
  const { depth, schemaCost } = counter.weigh(operation.selectionSet, schema.getRootType(operation.operation));
  const problem =
    depth > MAX_DEPTH
      ? `The operation is ${depth} levels deep; the limit is ${MAX_DEPTH}.`
      : counter.aliasCount > MAX_ALIASES
        ? `The operation has ${counter.aliasCount} aliases; the limit is ${MAX_ALIASES}.`
        : schemaCost > 0 && schemaCost > maxSchemaCost(schema)
          ? 'The operation asks for more of the schema than there is. Ask for each part once.'
          : undefined;
  if (problem !== undefined) throw new AppError('invalid_argument', problem);
  return { namesOfObject: counter.typeAliasCount };
}

const schemaCosts = new WeakMap<GraphQLSchema, number>();

function maxSchemaCost(schema: GraphQLSchema): number {
  const known = schemaCosts.get(schema);
  if (known !== undefined) return known;
  const document = parse(getIntrospectionQuery());
  const maxCost = document.definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => new Counter(schema, document).weigh(node.selectionSet, schema.getQueryType()).schemaCost)
    .reduce((sum, whole) => sum + MAX_INTROSPECTIONS * whole, 0);
  schemaCosts.set(schema, maxCost);
  return maxCost;
}

interface Weight {
  readonly depth: number;
  /** Values that an introspection may answer: the whole schema is there for every caller. */
  readonly schemaCost: number;
}

const NOTHING: Weight = { depth: 0, schemaCost: 0 };

type FieldsType = GraphQLObjectType | GraphQLInterfaceType;

class Counter {
  aliasCount = 0;
  typeAliasCount = 0;
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #weights = new Map<string, Weight>();

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode) {
    this.#schema = schema;
    this.#fragments = new Map(
      definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
    );
  }

  /** What a selection weighs. */
  weigh({ selections }: SelectionSetNode, type: FieldsType | undefined | null): Weight {
    let depth = 0;
    let schemaCost = 0;
    for (const selection of selections) {
      const weight =
        selection.kind === Kind.FIELD
          ? this.#weighField(selection, type)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? this.#weighFragment(selection.name.value)
            : this.weigh(selection.selectionSet, this.#typeOf(selection.typeCondition?.name.value) ?? type);
      depth = Math.max(depth, weight.depth);
      schemaCost += weight.schemaCost;
    }
    return { depth, schemaCost };
  }

  #weighField(node: FieldNode, parent: FieldsType | undefined | null): Weight {
    const name = node.name.value;
    if (node.alias !== undefined) {
      this.aliasCount++;
      if (name === '__typename') this.typeAliasCount++;
    }
    const own = parent != null && isIntrospectionType(parent) ? 1 : 0;
    if (node.selectionSet === undefined) return { depth: 1, schemaCost: own };
    const field = parent && this.#schema.getField(parent, name);
    const named = field == null ? undefined : getNamedType(field.type);
    const type = isObjectType(named) || isInterfaceType(named) ? named : undefined;
    const { depth, schemaCost } = this.weigh(node.selectionSet, type);
    const isList = field != null && isListType(getNullableType(field.type));
    const times = !isList || parent == null ? 1 : this.#lengthOf(name, parent);
    return { depth: 1 + depth, schemaCost: own + times * schemaCost };
  }

  #weighFragment(name: string): Weight {
    const known = this.#weights.get(name);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    const weight =
      fragment === undefined
        ? NOTHING
        : this.weigh(fragment.selectionSet, this.#typeOf(fragment.typeCondition.name.value));
    this.#weights.set(name, weight);
    return weight;
  }

  /** How many values a list of the schema has. */
  #lengthOf(name: string, parent: FieldsType): number {
    if (parent.name === '__Schema' && name === 'types') return Object.keys(this.#schema.getTypeMap()).length;
    return isIntrospectionType(parent) ? ASSUMED_LIST_LENGTH : 1;
  }

  #typeOf(name: string | undefined): FieldsType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type : undefined;
  }
}
