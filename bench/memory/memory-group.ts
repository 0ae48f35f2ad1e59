/** A group of processes that the kernel lets have so much memory, and ends when they want more; Linux, as root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group that a process can be put into. */
export interface MemoryGroup {
  add(pid: number): void;
  /** Removes it, once its processes have ended. */
  remove(): void;
}

/** Makes a group below the one that this process is in; `null` where the machine does not allow it. */
export function makeMemoryGroup(name: string, maxBytes: number): MemoryGroup | null {
  const parent = findParent();
  if (parent === null) return null;
  const folder = join(parent.folder, name);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, parent.limit), String(maxBytes));
  } catch {
    if (existsSync(folder)) rmdirSync(folder);
    return null;
  }
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    remove: () => rmdirSync(folder),
  };
}

interface Parent {
  readonly folder: string;
  /** The file that holds the limit. */
  readonly limit: string;
}

function findParent(): Parent | null {
  if (!existsSync('/proc/self/cgroup')) return null;
  const groups = readFileSync('/proc/self/cgroup', 'utf8');
  const first = /^\d+:memory:(.*)$/m.exec(groups)?.[1];
  if (first !== undefined) return { folder: join('/sys/fs/cgroup/memory', first), limit: 'memory.limit_in_bytes' };
  const second = /^0::(.*)$/m.exec(groups)?.[1];
  return second === undefined ? null : { folder: join('/sys/fs/cgroup', second), limit: 'memory.max' };
}
