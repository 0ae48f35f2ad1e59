import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from './install.mjs';

describe('isInstalled', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-install-'));
    mkdirSync(join(folder, 'node_modules'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(wanted: object, installed: object): void {
    const packages = { '': { name: 'root' }, ...wanted };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  }

  const A = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };
  const OTHER_PLATFORM = { 'node_modules/b': { version: '1.0.0', integrity: 'sha512-b', optional: true } };

  it('is true when npm installed what the lockfile asks for', () => {
    write(A, A);
    expect(isInstalled(folder)).toBe(true);
  });

  it('does not miss optional packages of other platforms', () => {
    write({ ...A, ...OTHER_PLATFORM }, A);
    expect(isInstalled(folder)).toBe(true);
  });

  it('is false when a package is missing, too many or another one', () => {
    write(A, {});
    expect(isInstalled(folder)).toBe(false);
    write({}, A);
    expect(isInstalled(folder)).toBe(false);
    write(A, { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-other' } });
    expect(isInstalled(folder)).toBe(false);
  });

  it('is false when nothing was installed, or npm did not come to its end', () => {
    write(A, A);
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{"packages": {');
    expect(isInstalled(folder)).toBe(false);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect(isInstalled(folder)).toBe(false);
  });
});
