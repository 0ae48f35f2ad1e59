import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { openSqlite } from './connection.ts';

/** Makes leaf pages of a table or an index unreadable, at these shares of it, in a data file that nothing has open. */
export function damageLeaves(path: string, name: string, shares: readonly number[]): void {
  const reader = openSqlite(path, { readOnly: true });
  const leaves = reader
    .prepare("SELECT pageno, pgsize FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .all([name]) as { pageno: number; pgsize: number }[];
  reader.close();
  const file = openSync(path, 'r+');
  for (const share of shares) {
    const { pageno, pgsize } = leaves[Math.floor(share * leaves.length)] as (typeof leaves)[number];
    writeSync(file, Buffer.alloc(pgsize, 0xff), 0, pgsize, (pageno - 1) * pgsize);
  }
  closeSync(file);
}

/**
 * Flips a bit of a value in a table or an index, also where pages hold what they held before, in a data file that nothing has open.
 * @param place the byte of the value
 */
export function flipValue(path: string, name: string, value: Uint8Array, place = 0): void {
  const reader = openSqlite(path, { readOnly: true });
  const pages = reader.prepare('SELECT pageno, pgsize FROM dbstat WHERE name = ? ORDER BY path').all([name]) as {
    pageno: number;
    pgsize: number;
  }[];
  reader.close();
  const file = readFileSync(path);
  let isFound = false;
  for (const { pageno, pgsize } of pages) {
    const page = file.subarray((pageno - 1) * pgsize, pageno * pgsize);
    for (let at = page.indexOf(value); at >= 0; at = page.indexOf(value, at)) {
      page[at + place] = (page[at + place] ?? 0) ^ 1;
      isFound = true;
    }
  }
  if (!isFound) throw new Error(`${name} does not hold the value`);
  writeFileSync(path, file);
}
