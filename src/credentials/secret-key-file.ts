/** The random key of a server without `SERVICE_SECRET`: a file of its own, which is made once and never changed. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#base/errors';

/** Reads the file, and makes it when it is first needed. */
export class SecretKeyFile {
  readonly path: string;
  readonly #onCreated: (path: string) => void;
  /** What was read: the file does not change. */
  #bytes: Uint8Array | null = null;

  /** @param onCreated told when the file was made */
  constructor(path: string, onCreated: (path: string) => void) {
    this.path = path;
    this.#onCreated = onCreated;
  }

  /** `null` where there is no such file, or one that cannot be read or is no key. */
  async read(): Promise<Uint8Array | null> {
    const bytes = this.#bytes ?? (await this.#readFile().catch(() => null));
    if (bytes?.length !== KEY_BYTES) return null;
    this.#bytes = bytes;
    return bytes;
  }

  /** @throws AppError `failed_precondition` where the file can neither be read nor made, with what to do */
  async readOrCreate(): Promise<Uint8Array> {
    try {
      if ((await this.#readFile()) === null) await this.#create();
    } catch (error) {
      throw new AppError(
        'failed_precondition',
        `The key that encrypts secrets can be neither read nor created (${codeOf(error)}): let the server read and write ${this.path}, or set SERVICE_SECRET.`,
        { cause: error },
      );
    }
    const bytes = await this.read();
    if (bytes !== null) return bytes;
    throw new AppError(
      'failed_precondition',
      `${this.path} is no key of ${KEY_BYTES} bytes: restore it from a backup, or move it away and enter all secrets again.`,
    );
  }

  async #readFile(): Promise<Uint8Array | null> {
    try {
      return await readFile(this.path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** The file is complete and on disk before it gets its name; a second process takes the key of the first. */
  async #create(): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`;
    const file = await open(draft, 'wx', 0o600);
    try {
      try {
        await file.writeFile(randomBytes(KEY_BYTES));
        await file.sync();
      } finally {
        await file.close();
      }
      await link(draft, this.path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return;
      throw error;
    } finally {
      await unlink(draft);
    }
    await syncFolder(dirname(this.path));
    this.#onCreated(this.path);
  }
}

/** A new name of a file is on disk when its folder is. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // has no handle of a folder that could be synced
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const KEY_BYTES = 32;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
