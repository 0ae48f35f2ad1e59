/** The dictionaries of projects: found for what is packed, made of what waits to be packed. */
import type { Kysely } from 'kysely';
import { makeDictionary } from '../blocks/dictionary.ts';
import {
  blockContent,
  decodeWhole,
  deleteUnusedDictionaries,
  type Dictionary,
  toWholeBlocks,
} from '../blocks/stored-blocks.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import { readAroundDamage } from '../engine/around-damage.ts';
import type { Tables } from '../schema/tables.ts';
import { SHORT_BYTES } from './pack-blocks.ts';

/** What a trace is packed with: the newest dictionary of its project. Index: block_dictionaries_of_project, primary keys. */
export async function findDictionary(db: Kysely<Tables>, traceRowId: number): Promise<Dictionary | undefined> {
  return db
    .selectFrom('traces')
    .innerJoin('block_dictionaries as dictionary', 'dictionary.project_id', 'traces.project_id')
    .select(['dictionary.id', 'dictionary.data'])
    .where('traces.id', '=', traceRowId)
    .orderBy('dictionary.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A dictionary to store. */
export interface NewDictionary {
  readonly projectRowId: number;
  readonly madeAtBlockId: number;
  readonly data: Uint8Array;
}

/**
 * Makes a dictionary for a project of which enough short traces wait, if it has none, or if its newest is old. Index: the queue's primary
 * key, primary keys, block_dictionaries_of_project.
 */
export async function planDictionary(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  lastQuietBlockId: number,
): Promise<NewDictionary | undefined> {
  const waiting = await db
    .selectFrom('compaction_queue')
    .select('block_id')
    .where('block_id', '<=', lastQuietBlockId)
    .orderBy('block_id')
    .limit(MAX_LOOKED_AT)
    .execute();
  const { rows: short } = await readAroundDamage(
    waiting.map((block) => block.block_id),
    (ids) => selectShort(db, dialect, ids),
  );
  for (const [projectRowId, blocks] of Map.groupBy(short, (block) => block.projectRowId)) {
    const byTrace = new Map(blocks.map(({ traceRowId, id }) => [traceRowId, id]));
    if (byTrace.size < SAMPLES || !(await isDue(db, projectRowId, lastQuietBlockId))) continue;
    const every = byTrace.size / SAMPLES;
    const ids = [...byTrace.values()].filter((_, place) => Math.floor((place + 1) / every) > Math.floor(place / every));
    const data = makeDictionary(await readSamples(db, dialect, ids));
    return { projectRowId, madeAtBlockId: lastQuietBlockId, data };
  }
  return undefined;
}

function selectShort(db: Kysely<Tables>, dialect: SqlDialect, ids: readonly number[]) {
  return db
    .selectFrom('blocks')
    .innerJoin('traces', 'traces.id', 'blocks.trace_row_id')
    .select(['blocks.id', 'traces.project_id as projectRowId', 'traces.id as traceRowId'])
    .where('blocks.id', 'in', dialect.numbersOf(ids))
    .where('blocks.raw_bytes', '<=', SHORT_BYTES)
    .orderBy('blocks.id')
    .execute();
}

async function isDue(db: Kysely<Tables>, projectRowId: number, lastBlockId: number): Promise<boolean> {
  const newest = await db
    .selectFrom('block_dictionaries')
    .select('made_at_block_id')
    .where('project_id', '=', projectRowId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest === undefined || newest.made_at_block_id + RENEWED_AFTER_BLOCKS < lastBlockId;
}

async function readSamples(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  ids: readonly number[],
): Promise<readonly Uint8Array[]> {
  const { rows } = await readAroundDamage(ids, (some) =>
    db.selectFrom('blocks').select(blockContent(dialect)).where('blocks.id', 'in', dialect.numbersOf(some)).execute(),
  );
  return (await toWholeBlocks(db, rows)).flatMap(({ block }) => {
    try {
      return [Buffer.concat(decodeWhole(block))];
    } catch {
      // What is damaged is said when it is packed.
      return [];
    }
  });
}

/** Stores a dictionary, and removes those that no block refers to any more. */
export async function addDictionary(
  db: Kysely<Tables>,
  { projectRowId, madeAtBlockId, data }: NewDictionary,
): Promise<void> {
  await deleteUnusedDictionaries(db).execute();
  await db
    .insertInto('block_dictionaries')
    .values({ project_id: projectRowId, made_at_block_id: madeAtBlockId, data })
    .execute();
}

/** Traces that a dictionary is made of. */
const SAMPLES = 64;

/** Applications change: so many blocks later, their traces have something else in common. */
const RENEWED_AFTER_BLOCKS = 100_000;

/** Bounds of one look at the queue. */
const MAX_LOOKED_AT = 2000;
