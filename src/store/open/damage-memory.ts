/**
 * What is known to be damaged, in a file beside the data file, so that the next start knows it at once. Not in the database: that is what
 * is damaged.
 */
import { readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { DAMAGE_SUFFIX, type Damage } from '../engine/damage.ts';
import type { EngineConfig } from '../engine/engine-config.ts';
import { isKeptDamage } from './kept-damage.ts';

/** Whose damage is remembered, and who hears why it is not. */
export interface DamageMemoryOptions {
  readonly known: () => readonly Damage[];
  readonly onError: (message: string, error: unknown) => void;
}

/** The memory of a data file; of PostgreSQL, whose pages its own server checks, and of what lies in memory, there is none. */
export function openDamageMemory(engine: EngineConfig, options: DamageMemoryOptions): DamageMemory | undefined {
  if (engine.engine !== 'sqlite' || engine.path === ':memory:') return undefined;
  return new DamageMemory(engine.path, options);
}

/** What is known of a data file, as it was last kept; nothing where that cannot be read, since all of it is found again. */
export function recallDamage(dataPath: string): readonly Damage[] {
  try {
    const path = fileFor(dataPath);
    if (statSync(path).size > MAX_BYTES) return [];
    const kept = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return Array.isArray(kept) ? kept.filter(isKeptDamage) : [];
  } catch {
    return [];
  }
}

function fileFor(dataPath: string): string {
  return `${dataPath}${DAMAGE_SUFFIX}`;
}

/** Keeps what is known, a moment after it changes. */
export class DamageMemory {
  readonly #dataPath: string;
  readonly #options: DamageMemoryOptions;
  #timer: NodeJS.Timeout | undefined;
  #saving = Promise.resolve();

  constructor(dataPath: string, options: DamageMemoryOptions) {
    this.#dataPath = dataPath;
    this.#options = options;
  }

  /** What was known when a server last used the data. */
  recall(): readonly Damage[] {
    return recallDamage(this.#dataPath);
  }

  /** To be called when something else is known than before. */
  noteChange(): void {
    this.#timer ??= setTimeout(() => this.#keep(), DELAY_MS).unref();
  }

  /** Keeps what has changed, and returns when that is done. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#keep();
    await this.#saving;
  }

  #keep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving
      .then(() => this.#write())
      .catch((error: unknown) => this.#options.onError('what is damaged is not remembered', error));
  }

  async #write(): Promise<void> {
    const known = this.#options.known().filter(({ kind }) => kind !== LOST_FOR_GOOD);
    const path = fileFor(this.#dataPath);
    if (known.length === 0) return rm(path, { force: true });
    const unfinished = `${path}.new`;
    // How far it was read again is not remembered: what was read may be damaged since.
    await writeFile(unfinished, JSON.stringify(known.map((damage) => ({ ...damage, recheckedTo: undefined }))), {
      mode: 0o600,
    });
    await rename(unfinished, path);
  }
}

/** More than is ever kept. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Many things may be found in a moment. */
const DELAY_MS = 500;

/** What is left is whole, and the audit log has what was lost. */
const LOST_FOR_GOOD = 'record';
