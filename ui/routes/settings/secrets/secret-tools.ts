import { createContext, use } from 'react';

/** What rows share with the page. */
export interface SecretTools {
  /** Opens the window of an action. */
  readonly start: (action: 'replace' | 'delete', key: string) => void;
}

export const SecretToolsContext = createContext<SecretTools | undefined>(undefined);

/** What the page shares. */
export function useSecretTools(): SecretTools {
  const tools = use(SecretToolsContext);
  if (tools === undefined) throw new Error('Only the page of secrets has these tools.');
  return tools;
}
