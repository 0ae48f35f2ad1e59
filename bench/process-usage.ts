/** What the kernel says of a process; Linux only. */
import { existsSync, readFileSync } from 'node:fs';

/** CPU time of all threads so far, in seconds. The kernel counts in hundredths. */
export function readCpuSeconds(pid: number): number {
  return sumTicks(pid, OWN_TICKS) / 100;
}

/** The same of a process with all its children, those that have ended among them; they have none themselves. */
export function readFamilyCpuSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const alive = children.reduce((sum, child) => sum + sumTicksOfChild(Number(child)), 0);
  return (sumTicks(pid, [...OWN_TICKS, ...TICKS_OF_ENDED_CHILDREN]) + alive) / 100;
}

/** It may have ended a moment ago. */
function sumTicksOfChild(pid: number): number {
  return existsSync(`/proc/${pid}/stat`) ? sumTicks(pid, OWN_TICKS) : 0;
}

function sumTicks(pid: number, places: readonly number[]): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may hold blanks; it ends with the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return places.reduce((sum, place) => sum + Number(fields[place]), 0);
}

/** Of the fields behind the name: in programs, and in the kernel for them. */
const OWN_TICKS = [11, 12];
const TICKS_OF_ENDED_CHILDREN = [13, 14];

/** Resident memory now and at its highest, in MB of 10^6 bytes. */
export function readMemoryMb(pid: number): { readonly nowMb: number; readonly peakMb: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const readMb = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1024) / 1e6;
  return { nowMb: readMb('VmRSS'), peakMb: readMb('VmHWM') };
}
