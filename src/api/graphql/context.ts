/** What resolvers know of the request that they work for. */
import type { Permission } from '#domain/access';
import type { Caller } from '#domain/caller';
import type { Allowance } from './allowance.ts';

/**
 * One for each operation, and for each event of a subscription. Everything else that a slice works with is given to it
 * when the schema is made.
 */
export interface GraphqlContext {
  readonly caller: Caller;
  /** What has been loaded, see `loader.ts`. Emptied before each mutation. */
  readonly loaders: Map<object, unknown>;
  readonly allowance: Allowance;
  /** Told of a field that the caller may not have. */
  readonly noteRefusal: (permission: Permission) => void;
  /** Has the browser forget the cookies of its sign-in, with the answer to this operation. */
  readonly endSession: () => void;
}

/** A context in which nothing was loaded yet. */
export function createContext(
  caller: Caller,
  allowance: Allowance,
  {
    endSession = () => undefined,
    noteRefusal = () => undefined,
  }: Partial<Pick<GraphqlContext, 'endSession' | 'noteRefusal'>> = {},
): GraphqlContext {
  return { caller, loaders: new Map(), allowance, endSession, noteRefusal };
}
