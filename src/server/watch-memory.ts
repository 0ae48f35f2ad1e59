import { Gauge, type Registry } from 'prom-client';

/** What one purpose may take, has taken, and waits for. */
export interface MemoryAccount {
  readonly maxBytes: number;
  readonly takenBytes: number;
  /** Requests, or parts of them, that wait for room. */
  readonly waitingCount: number;
}

/** Shows accounts in metrics, by purpose. */
export function watchMemory(registry: Registry, accounts: Readonly<Record<string, MemoryAccount>>): void {
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
