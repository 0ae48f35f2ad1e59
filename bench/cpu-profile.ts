/** What a CPU profile of the server says, thread by thread. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const SHOWN = 25;

/** The functions of each thread in which most time was spent, calls of others left out. */
export function formatProfiles(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => formatProfile(name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile))
    .join('\n');
}

function formatProfile(name: string, { nodes, samples, timeDeltas }: CpuProfile): string {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, describe(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, sample] of samples.entries()) {
    const place = places.get(sample) as string;
    times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const busyUs = [...times].reduce((sum, [place, us]) => sum + (place.startsWith('(idle)') ? 0 : us), 0);
  const top = [...times]
    .filter(([place]) => !place.startsWith('(idle)'))
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN);
  const lines = top.map(([place, us]) => `${((us / busyUs) * 100).toFixed(1).padStart(6)} %  ${place}`);
  return [`${name}: busy ${(busyUs / 1e6).toFixed(2)} s`, ...lines, ''].join('\n');
}

function describe({ functionName, url, lineNumber }: CallFrame): string {
  return `${functionName || '(anonymous)'} ${url === '' ? '' : `${basename(url)}:${lineNumber + 1}`}`.trimEnd();
}
