/** Validation of what a request brings, and the list of problems that a client is told. */
import type { z } from 'zod';

/** One problem. `loc` is where it lies: the part of the request, then names and list indexes. */
export interface ValidationDetail {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** What was sent; `null` for an object, a list, or a secret. */
  readonly input: unknown;
}

/** A request that does not fit the route's schemas: answered 422 with the details as JSON. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly details: readonly ValidationDetail[];

  constructor(details: readonly ValidationDetail[]) {
    super('The request does not have the form that this route requires.');
    this.details = details;
  }
}

/** The value as the schema makes it. What was sent is not told again where it is secret. @throws ValidationError */
export function validate<Schema extends z.ZodType>(
  part: 'path' | 'query' | 'body',
  schema: Schema,
  value: unknown,
  { isSecret = false }: { readonly isSecret?: boolean | undefined } = {},
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.slice(0, MAX_DETAILS).map((issue) => toDetail(part, issue, value));
  throw new ValidationError(isSecret ? details.map((detail) => ({ ...detail, input: null })) : details);
}

/** Problems that are told at most. */
export const MAX_DETAILS = 100;
const MAX_INPUT_CHARACTERS = 1000;

function toDetail(part: string, issue: z.core.$ZodIssue, value: unknown): ValidationDetail {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? key.toString() : key));
  const input = valueAt(value, path);
  const loc = [part, ...path];
  if (input === undefined) return { type: 'missing', loc, msg: 'Field required', input: null };
  return { type: issue.code === 'custom' ? 'value_error' : issue.code, loc, msg: issue.message, input: echo(input) };
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

function echo(input: unknown): unknown {
  if (typeof input === 'string') return input.slice(0, MAX_INPUT_CHARACTERS);
  return typeof input === 'object' ? null : input;
}
