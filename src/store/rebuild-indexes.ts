import { AppError } from '#base/errors';
import { type DamagedIndex, listenForDamage } from './engine/damage.ts';
import type { TableCheck, TablePlace } from './engine/table-check.ts';
import { isDamage, StorageError } from './engine/storage-error.ts';
import { EnvelopeCache } from './spans/rows/envelope-cache.ts';
import { inspectDataFile } from './sqlite/inspect.ts';
import { noteFinding } from './verification/note-finding.ts';
import { claimDatabase, openWriteEngine } from './open/open-engine.ts';

/** Indexes by name. */
export interface RebuiltIndexes {
  readonly rebuilt: readonly string[];
  /** Damaged ones whose rows cannot be believed, or of which two have what only one may have. */
  readonly left: readonly string[];
  /** Tables with rows that cannot be read. */
  readonly unreadable: readonly string[];
}

/**
 * Makes all indexes of a data file again that do not lead to all rows, however large they are. No server may have it open.
 * @throws AppError `failed_precondition` with what to do
 */
export async function rebuildDamagedIndexes(path: string): Promise<RebuiltIndexes> {
  if (inspectDataFile(path).state !== 'ours')
    throw new AppError('failed_precondition', `${path} is no data file of this version: run cairn db status.`);
  const config = { engine: 'sqlite', path, blockAboveBytes: null } as const;
  const claim = await claimDatabase(config, { willWrite: true });
  try {
    const engine = await openWriteEngine(config, () => undefined);
    try {
      const { indexes, unreadable } = await findDamage({ ...engine, envelopes: new EnvelopeCache() });
      const left: string[] = [];
      const rebuilt: string[] = [];
      for (const { name, isRebuildable } of indexes)
        (isRebuildable && isRebuilt(() => engine.rebuildIndexes?.(name)) ? rebuilt : left).push(name);
      return { rebuilt, left, unreadable };
    } finally {
      await engine.close();
    }
  } finally {
    claim.release();
  }
}

async function findDamage(
  scope: Parameters<typeof noteFinding>[0],
): Promise<{ readonly indexes: readonly DamagedIndex[]; readonly unreadable: readonly string[] }> {
  const unreadable = new Set<string>();
  const found = new Map<string, DamagedIndex>();
  listenForDamage(({ index }) => {
    if (index === undefined) return;
    const { name, isRebuildable } = index;
    found.set(name, { ...index, isRebuildable: isRebuildable && (found.get(name)?.isRebuildable ?? true) });
  });
  for (let place: TablePlace | null = null; ; ) {
    const check: TableCheck | undefined = scope.checkTables?.(place);
    for (const finding of check?.findings ?? []) {
      if (finding.index === null) unreadable.add(finding.table);
      await noteFinding(scope, finding);
    }
    if (!check?.next) return { indexes: [...found.values()], unreadable: [...unreadable] };
    place = check.next;
  }
}

/**
 * A table with pages that cannot be read has no index made again from it; nor has one with two rows that a unique index had kept apart,
 * had it led to both.
 */
function isRebuilt(rebuild: () => void): boolean {
  try {
    rebuild();
    return true;
  } catch (error) {
    if (!isDamage(error) && !isRefused(error)) throw error;
    return false;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof StorageError && error.fault === 'statement';
}
