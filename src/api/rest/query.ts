/** What a query string can hold: texts, and lists as repeated names. */
import { z } from 'zod';
import { parseTimestamp } from '#domain/timestamp';
import { TIME_FORMS } from './time.ts';
import { MAX_DETAILS, validate, ValidationError } from './validation.ts';

/** Reads the query string by the schema; names that it does not know are ignored. A name that is repeated is a list, or its last value where no list is taken. */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, text: string): z.output<Schema> {
  const given = new URLSearchParams(text);
  const query: Record<string, string | string[]> = {};
  for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const values = given.getAll(name);
    const last = values.at(-1);
    if (last !== undefined) query[name] = isList(field) ? values : last;
  }
  return validate('query', schema, query);
}

/** Names in the query string that the schema does not know, each once. */
export function unknownNames(schema: z.ZodObject | undefined, text: string): readonly string[] {
  if (text === '') return [];
  const known = new Set(Object.keys(schema?.shape ?? {}));
  return [...new Set(new URLSearchParams(text).keys())].filter((name) => !known.has(name));
}

/**
 * Of routes that must not do more than was meant, as a deletion would whose bounds it does not know.
 * @throws ValidationError where there are names that the schema does not know
 */
export function assertKnownQuery(schema: z.ZodObject | undefined, text: string): void {
  const known = Object.keys(schema?.shape ?? {});
  const unknown = unknownNames(schema, text);
  if (unknown.length === 0) return;
  const taken = known.length === 0 ? 'no parameters' : `only ${known.join(', ')}`;
  const details = unknown.slice(0, MAX_DETAILS).map((name) => ({
    type: 'extra_forbidden',
    loc: ['query', name.slice(0, MAX_NAME)],
    msg: `This route does not know the parameter, so it did nothing: it takes ${taken}`,
    input: null,
  }));
  throw new ValidationError(details);
}

/** Of an unknown name as it is told. */
const MAX_NAME = 100;

/** A whole number within bounds. */
export function queryInteger(minimum: number, maximum: number) {
  return z
    .string()
    .transform((text, context) => {
      const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
      const problem = value === undefined ? 'a valid integer' : boundProblem(value, minimum, maximum);
      if (value !== undefined && problem === undefined) return value;
      return refuse(context, `Input should be ${problem}`);
    })
    .meta({ type: 'integer', minimum, maximum });
}

/** A switch, in any of the spellings that people use, any letter case. */
export function queryBoolean() {
  return z
    .string()
    .transform((text, context) => {
      const word = text.toLowerCase();
      if (TRUE_WORDS.includes(word)) return true;
      if (FALSE_WORDS.includes(word)) return false;
      return refuse(context, 'Input should be a valid boolean, unable to interpret input');
    })
    .meta({ type: 'boolean' });
}

/** A number that is not negative. */
export function queryDecimal() {
  return z
    .string()
    .transform((text, context) => {
      if (!/^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text))
        return refuse(context, 'Input should be a valid number');
      return text.startsWith('-') && Number(text) !== 0
        ? refuse(context, 'Input should be greater than or equal to 0')
        : Math.abs(Number(text));
    })
    .meta({ type: 'number', minimum: 0 });
}

/** A time, in microseconds since the Unix epoch. */
export function queryTime() {
  return z
    .string()
    .transform((text, context) => parseTimestamp(text) ?? refuse(context, 'Input should be a valid datetime'))
    .meta(TIME_FORMS);
}

/** `cursor` and `limit` of a list. The pattern is for the document: which texts its cursors are. */
export function pageFields(defaultLimit: number, maxLimit: number, cursorPattern: string) {
  return {
    cursor: z
      .string()
      .meta({ pattern: cursorPattern })
      .optional()
      .describe('The `next_cursor` of the previous page, sent with the same parameters.'),
    limit: queryInteger(1, maxLimit).default(defaultLimit).describe('Maximum number of items in a page.'),
  };
}

const TRUE_WORDS: readonly string[] = ['true', '1', 'yes', 'on', 't', 'y'];
const FALSE_WORDS: readonly string[] = ['false', '0', 'no', 'off', 'f', 'n'];

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

function boundProblem(value: number, minimum: number, maximum: number): string | undefined {
  if (value < minimum) return `greater than or equal to ${minimum}`;
  return value > maximum ? `less than or equal to ${maximum}` : undefined;
}

function isList(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return isList(field.unwrap());
  return field instanceof z.ZodArray;
}
