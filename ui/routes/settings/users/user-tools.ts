import { createContext, use } from 'react';
import type { UserLimits } from './user-limits.ts';

/** What is asked before an account is changed. */
export type UserAction = 'role' | 'password' | 'delete' | 'unlock';

/** What the tools of a user need of the account. */
export interface ActedUser {
  readonly id: string;
  readonly username: string;
  readonly email: string | null | undefined;
  readonly authMethod: string;
  readonly isLocked: boolean;
  readonly apiKeyCount: number;
  readonly role: { readonly name: string };
}

/** What rows and the panel share with the page. */
export interface UserTools {
  readonly selected: ReadonlySet<string>;
  readonly select: (id: string, isSelected: boolean) => void;
  readonly limitsOf: (user: ActedUser) => UserLimits;
  /** Opens the window of an action, or does what needs none. */
  readonly start: (action: UserAction, user: ActedUser) => void;
  readonly viewerId: string | undefined;
}

export const UserToolsContext = createContext<UserTools | undefined>(undefined);

/** What the page shares. */
export function useUserTools(): UserTools {
  const tools = use(UserToolsContext);
  if (tools === undefined) throw new Error('Only the page of users has these tools.');
  return tools;
}
