/** What a caller sees of errors. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError } from '#base/errors';
import { toEdgeError } from '../errors.ts';

/** Told of an error that the caller is not. */
export type OnFault = (error: unknown) => void;

/**
 * The error as it is answered: those of GraphQL itself as they are, an {@link AppError} with its message and its code,
 * everything else masked.
 */
export function presentError(error: unknown, onFault: OnFault): GraphQLFormattedError {
  const cause = rootOf(error);
  if (cause instanceof GraphQLError) return { ...cause.toJSON(), message: withoutValues(cause.message) };
  const { code, message } = toEdgeError(cause);
  if (!(cause instanceof AppError)) onFault(cause);
  const place = error instanceof GraphQLError ? error.toJSON() : {};
  return { ...place, message, extensions: { code } };
}

/** The message of a document or of variables that do not fit the schema, without the values in them: one may be a password. */
function withoutValues(message: string): string {
  return message
    .replace(/^(Syntax Error: .*\b(?:String|BlockString)) ".*$/s, '$1.')
    .replace(/(\?)?[.,]? [Ff]ound: .*$/s, (_found, question: string | undefined) => question ?? '.')
    .replace(/( cannot represent [^:]*): .*$/s, '$1.');
}

/** What was thrown first. Errors of GraphQL that were thrown inside others stay below them. */
function rootOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError == null) return error;
  return error.originalError instanceof GraphQLError ? error : error.originalError;
}
