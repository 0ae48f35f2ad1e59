/** Schemas as people read them: a line for each field, and an example. */
import { nameOf, type Schema } from './api-document.ts';

/** The schemas that others name, by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** A field of an object, or a parameter. */
export interface Field {
  readonly name: string;
  /** `string or null`, `list of Span`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** What values it takes: `1 to 1000`, `default desc`. */
  readonly rules: readonly string[];
  /** Its possible values, where they are few. */
  readonly values: readonly string[];
  /** The schema of its own fields, where it has any. */
  readonly inner: Schema | undefined;
}

/** The fields of an object, of the items of a list, or of the first of several forms that has any. */
export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  const found = objectOf(schema, schemas);
  if (found === undefined) return [];
  const { properties = {}, required = [] } = found;
  return Object.entries(properties).map(([name, field]) =>
    describeField(name, field, required.includes(name), schemas),
  );
}

/** One field, or a parameter. */
export function describeField(name: string, schema: Schema, isRequired: boolean, schemas: Schemas): Field {
  const described = withoutNull(resolve(schema, schemas), schemas);
  const values = described.enum ?? resolve(described.items ?? {}, schemas).enum ?? [];
  return {
    name,
    type: typeOf(schema),
    isRequired,
    description: schema.description ?? described.description,
    rules: rulesOf(described, schema.default ?? described.default),
    values: values.map(String),
    inner: (objectOf(schema, schemas)?.properties ?? undefined) === undefined ? undefined : schema,
  };
}

/** The type in words, by name where it has one. */
export function typeOf(schema: Schema): string {
  const { $ref, type, items, format } = schema;
  const forms = formsOf(schema);
  if ($ref !== undefined) return nameOf($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (format !== undefined && type === 'string') return format;
  if (type === undefined && forms !== undefined) return join(forms.map(typeOf));
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (type === undefined) return 'any JSON';
  if (typeof type === 'string') return TYPE_NAMES[type] ?? type;
  return join(type.map((name) => TYPE_NAMES[name] ?? name));
}

/** An example of a value: what must be there, or everything with `isWhole`. */
export function exampleOf(schema: Schema, schemas: Schemas, isWhole: boolean, depth = 0): unknown {
  const resolved = withoutNull(resolve(schema, schemas), schemas);
  const { type, format, items, properties, required = [] } = resolved;
  const [form] = formsOf(resolved) ?? [];
  if (resolved.default !== undefined) return resolved.default;
  if (resolved.const !== undefined) return resolved.const;
  if (resolved.enum !== undefined) return resolved.enum[0];
  if (format !== undefined) return FORMAT_EXAMPLES[format] ?? format;
  if (properties === undefined && form !== undefined) return exampleOf(form, schemas, isWhole, depth);
  if (items !== undefined) return depth < MAX_DEPTH ? [exampleOf(items, schemas, isWhole, depth + 1)] : [];
  if (properties !== undefined) {
    if (depth >= MAX_DEPTH) return {};
    const shown = Object.entries(properties).filter(([name]) => isWhole || required.includes(name));
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, schemas, isWhole, depth + 1)]));
  }
  const first = typeof type === 'string' ? type : type?.find((name) => name !== 'null');
  return first === undefined ? null : (TYPE_EXAMPLES[first] ?? null);
}

const MAX_DEPTH = 5;

const TYPE_NAMES: Readonly<Record<string, string>> = { array: 'list' };

const TYPE_EXAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 0.5,
  boolean: true,
  object: {},
  array: [],
};

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  email: 'ada@example.com',
};

/** What the schema names, with what is said where it is named. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  const { $ref, ...own } = schema;
  const named = $ref === undefined ? undefined : schemas[nameOf($ref)];
  return named === undefined ? schema : { ...resolve(named, schemas), ...own };
}

/** The form that is not null, where there is just one. */
function withoutNull(schema: Schema, schemas: Schemas): Schema {
  const { anyOf, ...own } = schema;
  const forms = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = forms;
  return forms.length === 1 && only !== undefined ? { ...resolve(only, schemas), ...own } : schema;
}

/** The object whose fields it shows; undefined where it is no object, and no list of such. */
function objectOf(schema: Schema, schemas: Schemas): Schema | undefined {
  const resolved = resolve(schema, schemas);
  const { properties, items } = resolved;
  if (properties !== undefined) return resolved;
  if (items !== undefined) return objectOf(items, schemas);
  for (const form of formsOf(resolved) ?? []) {
    const found = objectOf(form, schemas);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rulesOf(schema: Schema, fallback: unknown): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    rangeText(minimum, maximum, ''),
    rangeText(minLength, maxLength, ' characters'),
    rangeText(minItems, maxItems, ' items'),
    fallback === undefined
      ? undefined
      : `default ${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}`,
  ].filter((rule) => rule !== undefined);
}

function rangeText(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${least === 1 ? unit.replace(/s$/, '') : unit}`;
  return most === undefined ? undefined : `at most ${most}${unit}`;
}

/** The alternatives of a schema: a value matches at least one of `anyOf`, or exactly one of `oneOf`. */
function formsOf({ anyOf, oneOf }: Schema): readonly Schema[] | undefined {
  return anyOf ?? oneOf;
}

function join(names: readonly string[]): string {
  return [...new Set(names)].join(' or ');
}
