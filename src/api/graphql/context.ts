/** What resolvers know of the request that they work for. */
import type { Principal } from '#domain/principal';
import type { Allowance } from './allowance.ts';

/**
 * One for each operation, and for each event of a subscription. Everything else that a slice works with is given to it
 * when the schema is made.
 */
export interface GraphqlContext {
  readonly principal: Principal;
  /** What has been loaded, see `loader.ts`. Emptied before each mutation. */
  readonly loaders: Map<object, unknown>;
  readonly allowance: Allowance;
}

/** A context in which nothing was loaded yet. */
export function createContext(principal: Principal, allowance: Allowance): GraphqlContext {
  return { principal, loaders: new Map(), allowance };
}
