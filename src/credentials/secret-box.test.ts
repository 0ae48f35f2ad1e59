import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '#base/secret';
import { SecretBox, type SecretBoxOptions } from './secret-box.ts';
import { SecretKeyFile } from './secret-key-file.ts';

const ONE = new Secret('1-long-random-text-of-one-server-aaaa');
const OTHER = new Secret('2-long-random-text-of-another-bbbbbb');
const CANARY = 'sk-canary-äöü-🔑';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A box of a server that has a folder, with what it says of its key file. */
function boxIn(folder: string, options: Partial<SecretBoxOptions> = {}) {
  const created: string[] = [];
  const keyFile = new SecretKeyFile(join(folder, 'secrets.key'), (path) => void created.push(path));
  const box = new SecretBox({ secret: null, previousSecret: null, keyFile, mayUseKeyFile: true, ...options });
  return { box, created, path: keyFile.path };
}

const NO_KEY = { code: 'failed_precondition' };

describe('a value', () => {
  it('comes back under its name, with the same key, and is another text each time', async () => {
    const { box } = boxIn(newFolder(), { secret: ONE });
    const [first, second] = [await box.seal('A', CANARY), await box.seal('A', CANARY)];
    expect(first.value).not.toBe(second.value);
    expect(first.keyId).toBe(second.keyId);
    expect(JSON.stringify(first)).not.toContain('canary');
    expect((await box.open('A', first))?.reveal()).toBe(CANARY);
    expect(String(await box.open('A', first))).not.toContain('canary');
  });

  it('opens under no other name, and not where anything of it was changed', async () => {
    const { box } = boxIn(newFolder(), { secret: ONE });
    const sealed = await box.seal('A', CANARY);
    expect(await box.open('B', sealed)).toBeNull();
    const bytes = Buffer.from(sealed.value, 'base64');
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(await box.open('A', { ...sealed, value: changed.toString('base64') })).toBeNull();
    }
    expect(await box.open('A', { ...sealed, value: '' })).toBeNull();
    expect(await box.open('A', { ...sealed, value: bytes.subarray(0, -1).toString('base64') })).toBeNull();
  });

  it('opens with the secret before, and not with another one', async () => {
    const sealed = await boxIn(newFolder(), { secret: ONE }).box.seal('A', CANARY);
    const rotating = boxIn(newFolder(), { secret: OTHER, previousSecret: ONE }).box;
    expect((await rotating.open('A', sealed))?.reveal()).toBe(CANARY);
    expect(await rotating.isOfToday(sealed)).toBe(false);
    expect(await rotating.isOfToday(await rotating.seal('A', CANARY))).toBe(true);
    const other = boxIn(newFolder(), { secret: OTHER }).box;
    expect(await other.open('A', sealed)).toBeNull();
    // Nor where somebody says that it was encrypted with today's key.
    const { keyId } = await other.seal('A', '');
    expect(await other.open('A', { ...sealed, keyId })).toBeNull();
  });
});

describe('without a secret', () => {
  it('the first value makes a key file for the owner alone, and later servers use it', async () => {
    const folder = newFolder();
    const { box, created, path } = boxIn(folder);
    expect(existsSync(path)).toBe(false);
    const sealed = await Promise.all(['A', 'B', 'C'].map((name) => box.seal(name, CANARY)));
    expect(created).toEqual([path]);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
    expect(readFileSync(path)).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(new Set(sealed.map(({ keyId }) => keyId)).size).toBe(1);
    const later = boxIn(folder);
    for (const [index, name] of ['A', 'B', 'C'].entries()) {
      expect((await later.box.open(name, sealed[index] ?? { value: '', keyId: '' }))?.reveal()).toBe(CANARY);
    }
    expect(later.created).toEqual([]);
  });

  it('its values can be read when a secret was set later', async () => {
    const folder = newFolder();
    const sealed = await boxIn(folder).box.seal('A', CANARY);
    const { box } = boxIn(folder, { secret: ONE });
    expect((await box.open('A', sealed))?.reveal()).toBe(CANARY);
    expect(await box.isOfToday(sealed)).toBe(false);
  });

  it('nothing is encrypted where several servers share the data, and the refusal says what to do', async () => {
    const folder = newFolder();
    const { box } = boxIn(folder, { mayUseKeyFile: false });
    await expect(box.seal('A', CANARY)).rejects.toMatchObject({
      ...NO_KEY,
      message: expect.stringMatching(/SERVICE_SECRET/),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a file that is no key, or cannot be written, is told, and what was encrypted is unreadable rather than a fault', async () => {
    const folder = newFolder();
    const sealed = await boxIn(folder).box.seal('A', CANARY);
    const { box, path } = boxIn(folder);
    writeFileSync(path, 'short');
    await expect(box.seal('A', CANARY)).rejects.toMatchObject({ ...NO_KEY, message: expect.stringContaining(path) });
    expect(await box.open('A', sealed)).toBeNull();
    rmSync(path);
    expect(await box.open('A', sealed)).toBeNull();
    const nowhere = boxIn(join(folder, 'nowhere'));
    await expect(nowhere.box.seal('A', CANARY)).rejects.toMatchObject({
      ...NO_KEY,
      message: expect.stringContaining('ENOENT'),
    });
    if (process.getuid?.() === 0) return; // may write everywhere
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    await expect(boxIn(folder).box.seal('A', CANARY)).rejects.toMatchObject(NO_KEY);
  });
});
