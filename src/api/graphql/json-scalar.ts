/** JSON values of callers: their numbers keep all digits, numbers of any other type are those of JavaScript. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
} from 'graphql';
import { JsonNumber, jsonObject, type JsonValue, parseJson } from '#base/json';

/** The name of the scalar. */
export const JSON_SCALAR = 'JSON';

/** The value of a literal. */
export function readJsonLiteral(node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): JsonValue {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return parseJson(node.value);
    case Kind.LIST:
      return node.values.map((item) => readJsonLiteral(item, variables));
    case Kind.OBJECT: {
      const object = jsonObject();
      for (const { name, value } of node.fields) object[name.value] = readJsonLiteral(value, variables);
      return object;
    }
    case Kind.VARIABLE:
      // Variables were read from JSON.
      return (variables?.[node.name.value] ?? null) as JsonValue;
    default:
      return node.value;
  }
}

/** The variables of an operation, in which only those of {@link JSON_SCALAR} have a {@link JsonNumber}. */
export function toVariableValues(
  schema: GraphQLSchema,
  { variableDefinitions }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = { ...variables };
  for (const { variable, type: node } of variableDefinitions ?? []) {
    const type = typeFromAST(schema, node);
    const name = variable.name.value;
    if (isInputType(type) && Object.hasOwn(variables, name)) values[name] = withPlainNumbers(variables[name], type);
  }
  return values;
}

function withPlainNumbers(value: unknown, type: GraphQLInputType | undefined): unknown {
  if (isNonNullType(type)) return withPlainNumbers(value, type.ofType);
  if (isListType(type)) {
    return Array.isArray(value)
      ? value.map((item: unknown) => withPlainNumbers(item, type.ofType))
      : withPlainNumbers(value, type.ofType);
  }
  if (type?.name === JSON_SCALAR) return value;
  if (value instanceof JsonNumber) return Number(value.text);
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = type.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [name, withPlainNumbers(item, fields[name]?.type)]),
  );
}
