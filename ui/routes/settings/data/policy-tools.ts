import { createContext, use } from 'react';
import type { EditedPolicy } from './policy-form.ts';

/** What can be done with a policy. */
export type PolicyAction = 'edit' | 'delete';

/** What rows and the panel share with the page. */
export interface PolicyTools {
  /** Opens the window of an action; absent for those who may change no policies. */
  readonly start?: ((action: PolicyAction, policy: EditedPolicy) => void) | undefined;
  /** Another number after each change. */
  readonly changeCount: number;
}

export const PolicyToolsContext = createContext<PolicyTools>({ changeCount: 0 });

/** What the page shares. */
export function usePolicyTools(): PolicyTools {
  return use(PolicyToolsContext);
}
