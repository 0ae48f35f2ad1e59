/** Operations of a test, and which fields of the schema they have read. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSchema, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { queryGraphql } from './graphql.ts';

const SCHEMA = buildSchema(readFileSync(resolve(import.meta.dirname, '../../docs/schema.graphql'), 'utf8'));

/** A client of one server that remembers the fields it has asked for. */
export class FieldReader {
  readonly #url: string;
  readonly #fields = new Set<string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** The data of an operation that succeeds. @throws Error with the errors */
  query<Data>(query: string, variables: Record<string, unknown> = {}): Promise<Data> {
    const info = new TypeInfo(SCHEMA);
    const remember = () => {
      const [type, field] = [info.getParentType(), info.getFieldDef()];
      if (type && field) this.#fields.add(`${type.name}.${field.name}`);
    };
    visit(parse(query), visitWithTypeInfo(info, { Field: remember }));
    return queryGraphql<Data>(this.#url, query, variables);
  }

  /** Fields of the object types that no operation has asked for, as `Type.field`. */
  unread(types: readonly string[]): string[] {
    return types.flatMap((name) => {
      const type = SCHEMA.getType(name);
      if (!isObjectType(type)) throw new Error(`${name} is no object type`);
      return Object.keys(type.getFields())
        .map((field) => `${name}.${field}`)
        .filter((field) => !this.#fields.has(field));
    });
  }
}
