import { expect, it, vi } from 'vitest';
import { systemCaller } from '#domain/caller';
import { receiverFor } from './keyed-receiver.ts';
import type { ExportReceiver } from './receiver.ts';

it('takes room from the share of an address, for a body of which more may be known', () => {
  const reserve = vi.fn<ExportReceiver['reserve']>();
  const receiver = receiverFor(systemCaller('test'), '192.0.2.1', {
    reserve,
    export: vi.fn<ExportReceiver['export']>(),
  });
  void receiver.reserve(3, { expectedBytes: 9 });
  expect(reserve).toHaveBeenCalledWith(3, { expectedBytes: 9, address: '192.0.2.1' });
});
