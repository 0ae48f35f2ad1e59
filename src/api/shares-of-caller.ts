import type { Caller } from '#domain/caller';
import { shareOfAddress } from './client-address.ts';

/**
 * Of whom a caller takes shares of what is scarce. People have one, whatever credentials they show, and so has a key; within it,
 * each of their addresses has its part. Where nobody is known the address is all there is to tell callers apart.
 */
export function sharesOfCaller(caller: Caller): readonly [string, ...string[]] {
  const address = shareOfAddress(caller.address ?? '');
  switch (caller.kind) {
    case 'user':
    case 'system_key':
    case 'admin_secret':
      return [`${caller.kind} ${caller.rowId}`, address];
    case 'anonymous':
    case 'nobody':
    case 'system':
      return [address];
  }
}
