/** Rows that many spans share (projects, resources, scopes): found or created once, then known. */
import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import { boundedText } from '#derive/bounded-text';
import { noteDamage } from '../../engine/damage.ts';
import { newProjectRow } from '../../projects/new-project-row.ts';
import type { Tables } from '../../schema/tables.ts';

/** Ids of shared rows. What it learnt in a transaction that is rolled back must be forgotten. */
export class Registry {
  readonly #projects = new Map<string, number>();
  readonly #envelopes = new Map<string, number>();
  /** The spans of a request share their envelopes, so each is hashed once. */
  readonly #digests = new WeakMap<Uint8Array, Buffer>();

  /** Forgets everything; rows that were created may not exist any more. */
  forget(): void {
    this.#projects.clear();
    this.#envelopes.clear();
  }

  /** The project of that name, created if there is none. */
  async projectId(db: Kysely<Tables>, sentName: string): Promise<number> {
    const found = await this.findProjectId(db, sentName);
    if (found !== undefined) return found;
    const row = newProjectRow(boundedText(sentName));
    const { id } = await db.insertInto('projects').values(row).returning('id').executeTakeFirstOrThrow();
    remember(this.#projects, row.name, id);
    return id;
  }

  /** The project of that name, if there is one. */
  async findProjectId(db: Kysely<Tables>, sentName: string): Promise<number | undefined> {
    const name = boundedText(sentName);
    const known = this.#projects.get(name);
    if (known !== undefined) return known;
    const found = await db.selectFrom('projects').select('id').where('name', '=', name).executeTakeFirst();
    if (found !== undefined) remember(this.#projects, name, found.id);
    return found?.id;
  }

  /** The row that holds the envelope, created if there is none; one that is damaged is mended. */
  async envelopeId(
    db: Kysely<Tables>,
    table: 'otel_resources' | 'instrumentation_scopes',
    envelope: Uint8Array,
  ): Promise<number> {
    const digest = this.#digests.get(envelope) ?? hash('sha256', envelope, 'buffer');
    this.#digests.set(envelope, digest);
    const key = `${table}:${digest.toString('latin1')}`;
    const known = this.#envelopes.get(key);
    if (known !== undefined) return known;
    const found = await db.selectFrom(table).select(['id', 'envelope']).where('hash', '=', digest).executeTakeFirst();
    if (found !== undefined && Buffer.compare(found.envelope, envelope) !== 0)
      await replaceDamaged(db, table, { id: found.id, hash: digest, envelope });
    const { id } =
      found ??
      (await db.insertInto(table).values({ hash: digest, envelope }).returning('id').executeTakeFirstOrThrow());
    remember(this.#envelopes, key, id);
    return id;
  }
}

/**
 * Writes an envelope over what its row holds instead. Index: the primary key.
 * @throws AppError `unavailable` where the index of hashes leads to the row of another envelope, until it is made again
 */
async function replaceDamaged(
  db: Kysely<Tables>,
  table: 'otel_resources' | 'instrumentation_scopes',
  { id, hash: digest, envelope }: { readonly id: number; readonly hash: Buffer; readonly envelope: Uint8Array },
): Promise<void> {
  const row = await db.selectFrom(table).select('hash').where('id', '=', id).executeTakeFirstOrThrow();
  if (Buffer.compare(row.hash, digest) === 0) {
    await db.updateTable(table).set({ envelope }).where('id', '=', id).execute();
    return;
  }
  const name = `sqlite_autoindex_${table}_1`;
  noteDamage({
    kind: 'database',
    message: `The index ${name} leads to other rows of the table ${table}.`,
    spans: [],
    index: { table, name, isRebuildable: true },
  });
  throw new AppError('unavailable', `An index of the table ${table} is damaged and is made again. Try again later.`, {
    retryAfterSeconds: 5,
  });
}

/** Names and resources come from senders, so what is kept of them is bounded; the oldest goes first. */
const MAX_REMEMBERED = 4096;

function remember(map: Map<string, number>, key: string, id: number): void {
  map.set(key, id);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value as string);
}
