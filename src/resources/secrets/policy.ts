import { definePolicy } from '#domain/access';

/** Who may do what with stored secrets. Nobody may read a value; the server uses it for them. */
export const secretPolicy = definePolicy('secrets', {
  list: 'read',
  read: 'read',
  /** Whether a value can be read by the server. */
  readValue: 'admin',
  upsertOrDelete: 'admin',
  /** By the server, on behalf of a caller. */
  use: 'read',
  /** Of `cairn secrets rotate`. */
  rotate: 'admin',
});
