import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const LOCKFILES = globSync('{,scripts/*/,test/*/}package-lock.json', { cwd: ROOT });

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readPackages(path: string): Readonly<Record<string, LockedPackage>> {
  const lockfile = JSON.parse(readFileSync(`${ROOT}/${path}`, 'utf8')) as { packages: Record<string, LockedPackage> };
  return lockfile.packages;
}

/** Where Node would look for `name` from the package at `path`: its own node_modules, then those of every folder above. */
function placesOf(path: string, name: string): readonly string[] {
  const parents = path.split('node_modules/').slice(0, -1);
  const above = parents.map((_, depth) => parents.slice(0, depth + 1).join('node_modules/'));
  return [...above, path === '' ? '' : `${path}/`].map((prefix) => `${prefix}node_modules/${name}`);
}

describe('lockfiles', () => {
  it('are those of the program, of Node, and of the clients and the PostgreSQL of tests', () => {
    expect(LOCKFILES.sort()).toEqual([
      'package-lock.json',
      'scripts/node/package-lock.json',
      'test/clients/package-lock.json',
      'test/postgres/package-lock.json',
    ]);
  });

  // npm leaves out a platform's package that was not published in time, without a word, and then refuses its own lockfile.
  it.each(LOCKFILES)('%s holds every optional dependency that it names', (path) => {
    const packages = readPackages(path);
    const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !placesOf(from, name).some((place) => place in packages))
        .map((name) => `${from} → ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(LOCKFILES)('%s names no host to fetch from', (path) => {
    const hosts = Object.entries(readPackages(path)).filter(([, { resolved = '' }]) => resolved.includes('://'));
    expect(hosts).toEqual([]);
  });
});
