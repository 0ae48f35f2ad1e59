/** What the addresses of the users of a project carry beside its time range. */

/** Of the list. */
export interface UsersSearch {
  /** A part of an id; absent: all users. */
  readonly user?: string | undefined;
  /** `column:direction`. */
  readonly sort?: string | undefined;
}

/** Of the page of one. */
export interface UserSearch {
  /** What is listed; absent: sessions. */
  readonly show?: 'traces' | 'charts' | undefined;
  /** `column:direction`. */
  readonly sort?: string | undefined;
}

/** The server takes no longer ones. */
const MAX_LENGTH = 1024;

/** Reads {@link UsersSearch}; what makes no sense is left out. */
export function readUsersSearch({ user, sort }: Readonly<Record<string, unknown>>): UsersSearch {
  // An id of digits alone is no text in an address.
  const text = typeof user === 'string' || typeof user === 'number' || typeof user === 'boolean' ? String(user) : '';
  return { user: text === '' ? undefined : text.slice(0, MAX_LENGTH), sort: textOf(sort) };
}

/** Reads {@link UserSearch}; what makes no sense is left out. */
export function readUserSearch({ show, sort }: Readonly<Record<string, unknown>>): UserSearch {
  return { show: show === 'traces' || show === 'charts' ? show : undefined, sort: textOf(sort) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined;
}
