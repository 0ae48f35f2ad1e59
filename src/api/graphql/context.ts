/** What resolvers know of the request that they work for. */
import type { Principal } from '#domain/principal';
import { Allowance } from './allowance.ts';

/** One for each operation. Everything else that a slice works with is given to it when the schema is made. */
export interface GraphqlContext {
  readonly principal: Principal;
  /** What has been loaded, see `loader.ts`. Emptied before each mutation and each event of a subscription. */
  readonly loaders: Map<object, unknown>;
  readonly allowance: Allowance;
}

/** The context of an operation by that caller. `onExceeded` is told why the answer may not become what it would. */
export function createContext(principal: Principal, onExceeded: (error: Error) => void): GraphqlContext {
  return { principal, loaders: new Map(), allowance: new Allowance(onExceeded) };
}
