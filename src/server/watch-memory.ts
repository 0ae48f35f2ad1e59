import { Gauge, type Registry } from 'prom-client';
import type { MemoryPressure } from '#base/memory-pressure';

/** What one purpose may take, has taken, and waits for. */
export interface MemoryAccount {
  readonly maxBytes: number;
  readonly takenBytes: number;
  /** Requests, or parts of them, that wait for room. */
  readonly waitingCount: number;
}

/** Shows accounts in metrics, by purpose, and whether memory is short all the same. */
export function watchMemory(
  registry: Registry,
  accounts: Readonly<Record<string, MemoryAccount>>,
  pressure: MemoryPressure,
): void {
  new Gauge({
    name: 'cairn_memory_short',
    help: '1 while the process is close to the memory that it may take: each purpose then holds a quarter of its share, or one allocation.',
    registers: [registry],
    collect() {
      this.set(Number(pressure.isHigh()));
    },
  });
  const show = (name: string, help: string, read: (account: MemoryAccount) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['purpose'],
      registers: [registry],
      collect() {
        for (const [purpose, account] of Object.entries(accounts)) this.set({ purpose }, read(account));
      },
    });
  show(
    'cairn_memory_room_bytes',
    'Bytes that large allocations of a purpose may take together.',
    ({ maxBytes }) => maxBytes,
  );
  show(
    'cairn_memory_taken_bytes',
    'Bytes that large allocations of a purpose have taken.',
    ({ takenBytes }) => takenBytes,
  );
  show(
    'cairn_memory_waiting',
    'Requests, or parts of them, that wait for room of a purpose.',
    ({ waitingCount }) => waitingCount,
  );
}
