/** Resources and scopes by row id, decoded once: rows of these tables never change. */
import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { InstrumentationScope, OtelResource } from '#otlp/messages';
import { decodeResourceEnvelope, decodeScopeEnvelope } from '#otlp/protobuf/request';
import type { SqlDialect } from '../../dialect/dialect.ts';
import { readAroundDamage } from '../../engine/around-damage.ts';
import { noteDamage, notePageDamage } from '../../engine/damage.ts';
import type { Tables } from '../../schema/tables.ts';

/** Remembers decoded resources and scopes, a bounded number of each. */
export class EnvelopeCache {
  readonly #resources = new Map<number, OtelResource>();
  readonly #scopes = new Map<number, InstrumentationScope>();

  /** Forgets everything: what was read in a transaction that is rolled back may have another content under the same id. */
  forget(): void {
    this.#resources.clear();
    this.#scopes.clear();
  }

  /** The resources of these row ids. */
  resources(
    db: Kysely<Tables>,
    dialect: SqlDialect,
    ids: Iterable<number>,
  ): Promise<ReadonlyMap<number, OtelResource>> {
    return lookUp(this.#resources, db, dialect, 'otel_resources', decodeResourceEnvelope, ids);
  }

  /** The scopes of these row ids. */
  scopes(
    db: Kysely<Tables>,
    dialect: SqlDialect,
    ids: Iterable<number>,
  ): Promise<ReadonlyMap<number, InstrumentationScope>> {
    return lookUp(this.#scopes, db, dialect, 'instrumentation_scopes', decodeScopeEnvelope, ids);
  }
}

const MAX_REMEMBERED = 1024;

const WHAT = {
  otel_resources: 'The stored resource',
  instrumentation_scopes: 'The stored instrumentation scope',
} as const;

async function lookUp<T>(
  cache: Map<number, T>,
  db: Kysely<Tables>,
  dialect: SqlDialect,
  table: 'otel_resources' | 'instrumentation_scopes',
  decode: (envelope: Uint8Array) => T,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, T>> {
  const found = new Map<number, T>();
  const missing: number[] = [];
  for (const id of new Set(ids)) {
    const known = cache.get(id);
    if (known === undefined) missing.push(id);
    else found.set(id, known);
  }
  if (missing.length === 0) return found;
  const { rows, unreadable, error } = await readAroundDamage(missing, (ids) =>
    db.selectFrom(table).select(['id', 'hash', 'envelope']).where('id', 'in', dialect.numbersOf(ids)).execute(),
  );
  // Spans that share a lost one cannot be read whole; that is what their readers find missing.
  const lose = (id: number, how: string) =>
    noteDamage({
      kind: 'resource',
      message: `${WHAT[table]} ${id} ${how}.`,
      spans: [],
      envelope: { table, rowId: id },
    });
  if (unreadable.length > 0) notePageDamage(`Rows of the table ${table}`, error);
  for (const id of unreadable) lose(id, 'cannot be read');
  const stored = new Set([...unreadable, ...rows.map(({ id }) => id)]);
  for (const id of missing) if (!stored.has(id)) lose(id, 'is missing');
  for (const { id, hash: digest, envelope } of rows) {
    if (!hash('sha256', envelope, 'buffer').equals(digest)) {
      lose(id, envelope.length === 0 ? 'is lost until it is sent again' : `is damaged (${envelope.length} bytes)`);
      continue;
    }
    const decoded = decode(envelope);
    found.set(id, decoded);
    cache.set(id, decoded);
    if (cache.size > MAX_REMEMBERED) cache.delete(cache.keys().next().value as number);
  }
  return found;
}
