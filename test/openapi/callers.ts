/** Who makes requests from the document, and of which server: one that asks nobody, and one that asks everybody. */
import { WITH_PEOPLE, type Shown } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';

/** A caller. */
export interface Caller {
  readonly who: string;
  /** Of the server. */
  readonly settings: Readonly<Record<string, string>>;
  /** Sent with each request. */
  readonly headers: Shown;
}

export const CALLERS: readonly Caller[] = [
  { who: 'without authentication', settings: {}, headers: {} },
  { who: 'as an administrator', settings: WITH_PEOPLE, headers: AS_ADMIN },
];
