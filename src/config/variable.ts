/** What is said of a variable, once for its reader, its documentation and the command line. */
import type { ValueType } from './values.ts';

/** The prefix of every name. */
export const PREFIX = 'SERVICE_';

/** The headings of the documentation, in its order. */
export type Group =
  | 'Network'
  | 'TLS'
  | 'Memory'
  | 'Storage'
  | 'PostgreSQL'
  | 'Storage guard'
  | 'Ingestion'
  | 'Authentication'
  | 'Sign-in'
  | 'Providers'
  | 'LDAP'
  | 'Mail'
  | 'Logging';

/** One variable, of which `Value` is what reading it gives. */
export interface Variable<Value> {
  /** Without {@link PREFIX}. */
  readonly name: string;
  readonly group: Group;
  readonly type: ValueType<NonNullable<Value>>;
  readonly unit?: string;
  /** As a user would write it. */
  readonly default?: string;
  /** What holds while the variable is unset, where no text could say it as a default. */
  readonly unsetMeaning?: string;
  readonly meaning: string;
  /** Whether the value may never be shown. */
  readonly isSecret?: true;
  /** Another program's name of the same meaning; the prefixed name wins over it. */
  readonly alias?: string;
  /** The flag of the command line that wins over both, with a word for its value. */
  readonly flag?: `--${string} <${string}>`;
}

/** A variable whose value is there: it has a default, or may be unset. */
export function variable<Value>(entry: Variable<Value> & { readonly default: string }): Variable<Value>;
export function variable<Value>(
  entry: Variable<Value> & { readonly unsetMeaning: string },
): Variable<Value | undefined>;
export function variable<Value>(entry: Variable<Value>): Variable<Value | undefined> {
  return entry;
}
