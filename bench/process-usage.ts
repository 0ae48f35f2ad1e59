/** What the kernel says of a process; Linux only. */
import { readFileSync } from 'node:fs';

/** CPU time of all threads so far, in seconds. The kernel counts in hundredths. */
export function readCpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may hold blanks; it ends with the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) / 100;
}

/** Resident memory now and at its highest, in MB of 10^6 bytes. */
export function readMemoryMb(pid: number): { readonly nowMb: number; readonly peakMb: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const readMb = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1024) / 1e6;
  return { nowMb: readMb('VmRSS'), peakMb: readMb('VmHWM') };
}
