import { createContext, use } from 'react';

/** How often the nearest region that can fail by itself was tried again; its `ErrorBoundary` says. */
export const Attempt = createContext(0);

/** See {@link Attempt}. `useQuery` asks again with each attempt already. */
export function useAttempt(): number {
  return use(Attempt);
}
