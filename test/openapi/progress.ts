/** How far a run of schemathesis is, from the file of events that it writes; it prints nothing itself before its end. */
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** An operation that was asked for in a phase. */
export interface AskedOperation {
  readonly phase: string;
  readonly operation: string;
  /** Of this phase: its place, and how many there are. */
  readonly place: number;
  readonly of: number;
  readonly requests: number;
  readonly seconds: number;
  readonly isFailed: boolean;
}

/** The parts of an event that are read here. */
interface TesterEvent {
  readonly LoadingFinished?: { readonly statistic: { readonly operations: { readonly selected: number } } };
  readonly ScenarioFinished?: {
    readonly phase: string;
    readonly status: string;
    readonly elapsed_time: number;
    readonly recorder: { readonly label: string; readonly cases: object };
  };
}

const POLL_MS = 500;

/** Tells of each operation once it was asked for, until `isOver` and all that was written is read. */
export async function followEvents(
  path: string,
  isOver: () => boolean,
  tell: (asked: AskedOperation) => void,
): Promise<void> {
  await using file = await open(path, 'a+');
  const buffer = Buffer.alloc(1024 * 1024);
  const decoder = new TextDecoder();
  const places = new Map<string, number>();
  let of = 0;
  let rest = '';
  for (let isLast = false; !isLast; ) {
    isLast = isOver();
    for (let read = await file.read(buffer); read.bytesRead > 0; read = await file.read(buffer)) {
      const lines = (rest + decoder.decode(buffer.subarray(0, read.bytesRead), { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { LoadingFinished: loaded, ScenarioFinished: asked } = JSON.parse(line) as TesterEvent;
        of = loaded?.statistic.operations.selected ?? of;
        if (asked === undefined) continue;
        const { phase, status, elapsed_time: seconds, recorder } = asked;
        const place = (places.get(phase) ?? 0) + 1;
        places.set(phase, place);
        const requests = Object.keys(recorder.cases).length;
        tell({
          phase,
          operation: recorder.label,
          place,
          of,
          requests,
          seconds,
          isFailed: status === 'failure' || status === 'error',
        });
      }
    }
    if (!isLast) await delay(POLL_MS);
  }
}
