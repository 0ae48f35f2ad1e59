import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from './install.mjs';

const INSTALL = new URL('./install.mjs', import.meta.url).href;

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

describe('ensureInstalled', () => {
  it('leaves alone what a link leads to, and says what to do', () => {
    const root = mkdtempSync(join(tmpdir(), 'cairn-install-'));
    const [folder, others] = [join(root, 'checkout'), join(root, 'others')];
    for (const path of [folder, join(others, 'package')]) mkdirSync(path, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name":"x","version":"1.0.0"}');
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({
        name: 'x',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: { '': { name: 'x', version: '1.0.0' } },
      }),
    );
    symlinkSync(others, join(folder, 'node_modules'), 'junction');
    const script = `import { ensureInstalled } from ${JSON.stringify(INSTALL)}; ensureInstalled(${JSON.stringify(folder)});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([status, existsSync(join(others, 'package'))]).toEqual([1, true]);
    expect(stderr).toContain(`${join(folder, 'node_modules')} is a link`);
    rmSync(root, { recursive: true });
  });
});
