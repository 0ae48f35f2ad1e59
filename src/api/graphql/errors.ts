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
  if (cause instanceof GraphQLError) return cause.toJSON();
  const { code, message } = toEdgeError(cause);
  if (!(cause instanceof AppError)) onFault(cause);
  const place = error instanceof GraphQLError ? error.toJSON() : {};
  return { ...place, message, extensions: { code } };
}

/** What was thrown first. Errors of GraphQL that were thrown inside others stay below them. */
function rootOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError == null) return error;
  return error.originalError instanceof GraphQLError ? error : error.originalError;
}
