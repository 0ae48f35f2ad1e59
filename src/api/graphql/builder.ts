/**
 * Pothos with the types of this schema. A slice says which rows its types stand for; types refer to each other by name,
 * so that no slice imports another:
 *
 * ```ts
 * declare module '#api/graphql/builder' {
 *   interface ObjectRows {
 *     Thing: ThingRow;
 *   }
 * }
 * ```
 */
import './access.ts';
import SchemaBuilder from '@pothos/core';
import type { GlobalIdType } from '#base/global-id';
import type { JsonValue } from '#base/json';
import type { AnnotationSource } from '#domain/annotation';
import type { Connection, Edge, PageInfo } from './connection.ts';
import type { GraphqlContext } from './context.ts';

/** What a resolver is given for each object type; slices declare theirs. */
export interface ObjectRows {
  /** For what a change answers, to read the new state in the same request. */
  Query: object;
  PageInfo: PageInfo;
}

/** What a resolver of a field of each interface is given; slices declare theirs. */
export interface InterfaceRows {
  Node: NodeRow;
}

/** What stands for each union that several slices name; slices declare theirs. */
// biome-ignore lint/suspicious/noEmptyInterface: slices fill it
export interface UnionRows {}

/** The values of enums that several slices name; slices declare theirs. */
export interface EnumValues {
  SortDir: 'asc' | 'desc';
}

/** What a resolver is given for each interface type; slices declare theirs. */
export interface InterfaceRows {
  Node: NodeRow;
}

/** What resolvers and arguments hold in place of a scalar. */
interface ScalarValues {
  /** Microseconds since the Unix epoch. */
  DateTime: number;
  ID: string;
  JSON: JsonValue;
  /** What stands in place of a secret. */
  RedactedString: string;
  /** Hours and weekdays, see `domain/schedule.ts`. */
  CronExpression: string;
}

/** Part of time. Start inclusive, end exclusive, microseconds since the Unix epoch. */
export interface TimeRange {
  readonly start?: number | null | undefined;
  readonly end?: number | null | undefined;
}

/** Conditions on annotations, as they arrive. */
export interface AnnotationConditionInput {
  readonly names?: readonly string[] | null | undefined;
  readonly sources?: readonly AnnotationSource[] | null | undefined;
  readonly userIds?: readonly (string | null | undefined)[] | null | undefined;
}

/** The filter that chooses among the annotations of an object, as it arrives. */
export interface AnnotationFilterInput {
  readonly include?: AnnotationConditionInput | null | undefined;
  readonly exclude?: AnnotationConditionInput | null | undefined;
}

/** What a resolver of a thing with a global id is given. */
export interface NodeRow {
  /** Or the name that stands for it in the id, see `nodes.addNamed`. */
  readonly rowId: number | string;
}

/** The object types that have a global id. */
export type NodeName = {
  [Name in keyof ObjectRows]: ObjectRows[Name] extends NodeRow ? Name : never;
}[keyof ObjectRows] &
  GlobalIdType;

type Connections = { [Name in NodeName as `${Name}Connection`]: Connection<ObjectRows[Name]> };
type Edges = { [Name in NodeName as `${Name}Edge`]: Edge<ObjectRows[Name]> };

/** A scalar or an enum is the same on the way in and on the way out. */
type Values<Types> = { [Name in keyof Types]: { Input: Types[Name]; Output: Types[Name] } };

/** The builder of this schema. Fields cannot be null, and arguments may be left out, unless they say otherwise. */
export type Builder = BuilderOf<ObjectRows & Connections & Edges & UnionRows>;

/** A builder that knows other object types than those of the slices. */
export type BuilderOf<Objects extends object> = PothosSchemaTypes.SchemaBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<{
    Context: GraphqlContext;
    Objects: Objects;
    Interfaces: { [Name in keyof InterfaceRows]: InterfaceRows[Name] };
    Inputs: { TimeRange: TimeRange; AnnotationFilter: AnnotationFilterInput };
    Scalars: Values<ScalarValues & EnumValues>;
    DefaultFieldNullability: false;
  }>
>;

/** A builder without any type. */
export function createBuilder(): Builder {
  return new SchemaBuilder({ plugins: ['access'], defaultFieldNullability: false });
}
