/** Reads again what was found damaged: it may have been sent again, made again or deleted since. */
import { hash } from 'node:crypto';
import { openChunk } from '../columns/sealed-chunks.ts';
import { readAroundDamage } from '../engine/around-damage.ts';
import type { Damage, LostSpan } from '../engine/damage.ts';
import { isDamage } from '../engine/storage-error.ts';
import { readRecordMessages } from '../logs/rows/read-messages.ts';
import { areSumsRight } from '../projects/sum-again.ts';
import type { PlanScope } from '../reindex/plan.ts';
import { readDecodedSpans } from '../spans/rows/stored-spans.ts';
import { verifyPart } from '../words/read-segment.ts';
import { noteFinding } from './note-finding.ts';

/** What is left of the damage; `null` where it is whole, or gone. Damage that does not say where it is stays as it was. */
export async function recheckDamage(scope: PlanScope, damage: Damage): Promise<Damage | null> {
  try {
    return await findRest(scope, damage);
  } catch (error) {
    if (isDamage(error)) return damage;
    throw error;
  }
}

async function findRest(scope: PlanScope, damage: Damage): Promise<Damage | null> {
  const { kind, spans, segment, part, logRecordRowIds, spanRowIds, envelope, sums } = damage;
  if (spans.length > 0) {
    const lost = await findLostSpans(scope, spans);
    return lost.length === 0 ? null : { ...damage, spans: lost };
  }
  if (kind === 'columns' && segment !== undefined) return (await hasWholeColumns(scope, segment)) ? null : damage;
  if (part !== undefined) return (await verifyPart(scope, part)).damaged.length === 0 ? null : damage;
  if (logRecordRowIds !== undefined) {
    const lost: number[] = [];
    await readRecordMessages(scope.db, scope.dialect, logRecordRowIds, { onDamaged: (rowId) => lost.push(rowId) });
    return lost.length === 0 ? null : { ...damage, logRecordRowIds: lost };
  }
  if (spanRowIds !== undefined) {
    const { unreadable } = await readSpanRows(scope, spanRowIds);
    return unreadable.length === 0 ? null : { ...damage, spanRowIds: unreadable };
  }
  if (sums !== undefined) return (await areSumsRight(scope.db, sums)) ? null : damage;
  if (envelope !== undefined) return (await isDamagedEnvelope(scope, envelope)) ? damage : null;
  return kind === 'database' ? recheckTables(scope, damage) : damage;
}

/**
 * Reads tables again for a moment, and names what is damaged. Where nothing is, the next look continues where this one ends; otherwise it starts again. Of
 * an index, its table is read.
 */
async function recheckTables(scope: PlanScope, damage: Damage): Promise<Damage | null> {
  const { checkTables } = scope;
  if (checkTables === undefined) return damage;
  const { recheckedTo, ...found } = damage;
  const { index } = damage;
  const endMs = performance.now() + LOOK_MS;
  let isDamaged = false;
  for (let place = recheckedTo ?? (index ? { table: index.table, after: 0 } : null); ; ) {
    const { next, findings } = checkTables(place);
    // What says where it is can be mended.
    for (const finding of findings) await noteFinding(scope, finding);
    isDamaged ||= findings.some((finding) => index === undefined || finding.index === index.name);
    if (next === null || (index !== undefined && next.table !== index.table)) return isDamaged ? found : null;
    if (performance.now() > endMs) return isDamaged ? found : { ...found, recheckedTo: next };
    place = next;
  }
}

const LOOK_MS = 500;

/** Index: traces by trace_id, spans_by_identity, primary keys. */
async function findLostSpans(scope: PlanScope, spans: readonly LostSpan[]): Promise<readonly LostSpan[]> {
  const { db, dialect } = scope;
  const lost: LostSpan[] = [];
  for (const [traceId, ofTrace] of Map.groupBy(spans, (span) => span.traceId)) {
    const stored = await db
      .selectFrom('traces')
      .innerJoin('spans', 'spans.trace_row_id', 'traces.id')
      .select(['spans.id', 'spans.span_id'])
      .where('traces.trace_id', '=', traceId)
      .where('spans.span_id', 'in', dialect.textsOf(ofTrace.map(({ spanId }) => spanId)))
      .execute();
    const { rows, unreadable } = await readSpanRows(
      scope,
      stored.map(({ id }) => id),
    );
    const damaged = new Set(unreadable);
    for await (const _whole of readDecodedSpans(scope, rows, { onDamaged: (rowId) => damaged.add(rowId) }));
    for (const { id, span_id: spanId } of stored) if (damaged.has(id)) lost.push({ traceId, spanId });
  }
  return lost;
}

/** All of each row, wherever on its pages it is. Index: the primary key. */
function readSpanRows({ db, dialect }: PlanScope, rowIds: readonly number[]) {
  return readAroundDamage(rowIds, async (some) => {
    const rows = await db.selectFrom('spans').selectAll().where('id', 'in', dialect.numbersOf(some)).execute();
    return rows.map((row) => ({
      rowId: row.id,
      otelResourceId: row.otel_resource_id,
      instrumentationScopeId: row.instrumentation_scope_id,
    }));
  });
}

/** Index: the primary key. */
async function hasWholeColumns({ db }: PlanScope, segment: number): Promise<boolean> {
  const chunks = await db.selectFrom('span_segment_columns').selectAll().where('segment', '=', segment).execute();
  return chunks.every((chunk) => openChunk(chunk) !== undefined);
}

/** Index: the primary key. */
async function isDamagedEnvelope(
  { db }: PlanScope,
  { table, rowId }: NonNullable<Damage['envelope']>,
): Promise<boolean> {
  const row = await db.selectFrom(table).select(['hash', 'envelope']).where('id', '=', rowId).executeTakeFirst();
  return row === undefined || !hash('sha256', row.envelope, 'buffer').equals(row.hash);
}
