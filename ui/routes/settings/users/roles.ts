/** The roles that people can have. */

/** As the server calls them. */
export type PersonRole = 'ADMIN' | 'MEMBER' | 'VIEWER';

/** The one that may do least first. */
export const ROLES: readonly { readonly id: PersonRole; readonly label: string; readonly text: string }[] = [
  { id: 'VIEWER', label: 'Viewer', text: 'Reads everything, and keeps personal keys that read.' },
  {
    id: 'MEMBER',
    label: 'Member',
    text: 'Also annotates and reviews, sends telemetry, creates and clears projects, deletes traces and edits prices.',
  },
  { id: 'ADMIN', label: 'Administrator', text: 'Also manages users, keys, secrets, projects and retention.' },
];

/** The role of a name, if people can have it. */
export function toPersonRole(name: string): PersonRole | undefined {
  return ROLES.find(({ id }) => id === name)?.id;
}
