import { type Caller, limitsOf } from '#domain/caller';
import type { ExportReceiver, SenderKey } from './receiver.ts';

/**
 * The receiver as a caller may use it: room is taken from the share of its address, and what a key sends is stored where that key may
 * send to, and counted as its own.
 */
export function receiverFor(caller: Caller, address: string, receiver: ExportReceiver): ExportReceiver {
  const key = senderKeyOf(caller);
  return {
    reserve: (bytes, body) => receiver.reserve(bytes, { ...body, address }),
    export: (received) => receiver.export(key === undefined ? received : { ...received, key }),
  };
}

function senderKeyOf(caller: Caller): SenderKey | undefined {
  const projects = limitsOf(caller)?.projects ?? null;
  if (caller.kind === 'system_key') return { rowId: caller.rowId, projects };
  if (caller.kind !== 'user' || caller.credential.kind !== 'key') return undefined;
  return { rowId: caller.credential.keyRowId, projects };
}
