/** Annotations that came before what they are about. They wait by what senders call that, and are stored when it arrives. */
import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { AppError } from '#base/errors';
import { boundedText } from '#derive/bounded-text';
import type { AnnotationContent, AnnotationSource, AnnotationTarget, NewAnnotation } from '#domain/annotation';
import type { RecordHandle } from '../../records/hooks.ts';
import type { WaitingAnnotationsTable } from '../../schema/annotation-tables.ts';
import { type AnnotationRow, storeAnnotations } from './annotation-rows.ts';
import { lockTargets } from './find-targets.ts';
import { selectAllowed } from './strict-configs.ts';

/** An annotation as somebody sent it. */
export interface SentAnnotation extends NewAnnotation {
  readonly target: AnnotationTarget;
  readonly source: AnnotationSource;
  readonly userRowId: number | null;
  /** When it was said: of several with one key the newest counts. */
  readonly atUs: number;
  /** The projects whose targets it may be about; `null` for all. */
  readonly reach: readonly number[] | null;
  /** Whether a span carried it, whose sender nobody knows. */
  readonly isCarried: boolean;
}

/** What is stored of it as JSON. */
interface WaitingContent extends AnnotationContent {
  readonly source: AnnotationSource;
  readonly reach: readonly number[] | null;
}

/** How long annotations wait, in microseconds. */
export const WAITING_US = 3_600_000_000;

/** More than any program sends within that time for targets that never come. */
const MAX_WAITING = 100_000;

/** Of one account, of all callers without one, and of all that spans carried: nobody fills the table for everybody. */
const MAX_WAITING_OF_ONE = 20_000;

/**
 * Lets annotations wait whose target is known by what senders call it, each in place of an older one that has its target, name,
 * identifier and reach.
 * @param sent all of one author
 * @param ifFull whether to leave those out for which there is no room
 * @returns those that were left out
 * @throws AppError `resource_exhausted` where too many wait, and they are not to be left out
 */
export async function letWait(
  { db, dialect }: RecordHandle,
  sent: readonly SentAnnotation[],
  nowUs: number,
  ifFull: 'leave out' | 'refuse',
): Promise<readonly SentAnnotation[]> {
  const newest = new Map<string, WaitingAnnotation>();
  for (const annotation of sent) {
    if (!isNamed(annotation)) continue;
    const digest = digestOf(annotation);
    const other = newest.get(digest);
    if (other === undefined || other.atUs <= annotation.atUs) newest.set(digest, annotation);
  }
  const added = await findNew({ db, dialect }, [...newest.keys()]);
  const tooMany = added.slice(await roomFor(db, newest.values().next().value, added.length));
  if (tooMany.length > 0 && ifFull === 'refuse') {
    throw new AppError(
      'resource_exhausted',
      `Too many annotations wait for spans, traces and sessions that have not arrived: the limit is ${MAX_WAITING}, and ${MAX_WAITING_OF_ONE} of one account. Send annotations after what they are about.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
  const leftOut = tooMany.flatMap((digest) => newest.get(digest) ?? []);
  for (const digest of tooMany) newest.delete(digest);
  if (newest.size === 0) return leftOut;
  const tuples = [...newest]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([digest, annotation]) => toTuple(digest, annotation, nowUs));
  await db
    .insertInto('waiting_annotations')
    .columns(COLUMNS)
    .expression(
      db
        .selectFrom(dialect.tuplesOfJson(JSON.stringify(tuples), TUPLE).$castTo<WaitingAnnotationsTable>().as('sent'))
        .select(COLUMNS)
        // SQLite takes ON CONFLICT for a condition of a join where none comes before it.
        .where(sql<SqlBool>`TRUE`),
    )
    .onConflict((conflict) =>
      conflict
        .column('digest')
        .doUpdateSet((row) => ({
          content: row.ref('excluded.content'),
          user_id: row.ref('excluded.user_id'),
          at_us: row.ref('excluded.at_us'),
          received_at_us: row.ref('excluded.received_at_us'),
        }))
        .whereRef('waiting_annotations.at_us', '<=', 'excluded.at_us'),
    )
    .execute();
  return leftOut;
}

/** Those of which none waits. */
async function findNew({ db, dialect }: RecordHandle, digests: readonly string[]): Promise<readonly string[]> {
  if (digests.length === 0) return [];
  const rows = await db
    .selectFrom('waiting_annotations')
    .select('digest')
    .where('digest', 'in', dialect.textsOf(digests))
    .execute();
  const waiting = new Set(rows.map(({ digest }) => digest));
  return digests.filter((digest) => !waiting.has(digest));
}

/** How many more may wait of those who said one, as far as that is less than what is wanted. */
async function roomFor(db: RecordHandle['db'], one: WaitingAnnotation | undefined, wanted: number): Promise<number> {
  if (one === undefined || wanted === 0) return 0;
  const all = db.selectFrom('waiting_annotations').select('id');
  const ofOne = all
    .where('user_id', 'is not distinct from', one.userRowId)
    .where('is_carried', '=', one.isCarried ? 1 : 0);
  const left = async (query: typeof all, limit: number): Promise<number> => {
    const { count } = await db
      .selectFrom(query.limit(limit).as('some'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return limit - Number(count);
  };
  return Math.min(wanted, await left(ofOne, MAX_WAITING_OF_ONE), await left(all, MAX_WAITING));
}

const RETRY_AFTER_SECONDS = 60;

const TUPLE = {
  target: 'text',
  target_key: 'text',
  document_position: 'number',
  name: 'text',
  identifier: 'text',
  content: 'text',
  user_id: 'number',
  is_carried: 'number',
  at_us: 'number',
  received_at_us: 'number',
  digest: 'text',
} as const;

const COLUMNS = Object.keys(TUPLE) as readonly (keyof typeof TUPLE)[];

/** One whose target is known by what senders call it. */
type WaitingAnnotation = SentAnnotation & { readonly of: string };

function isNamed(sent: SentAnnotation): sent is WaitingAnnotation {
  return typeof sent.of === 'string';
}

function toTuple(digest: string, sent: WaitingAnnotation, nowUs: number): readonly (string | number | null)[] {
  const { target, of, documentPosition, name, identifier, userRowId } = sent;
  const { annotatorKind, label, score, explanation, metadata, source, reach } = sent;
  const content: WaitingContent = { annotatorKind, label, score, explanation, metadata, source, reach };
  const key = [target, keyOf(target, of), documentPosition, name, identifier];
  return [...key, JSON.stringify(content), userRowId, sent.isCarried ? 1 : 0, sent.atUs, nowUs, digest];
}

/** One that may turn out to be beyond its sender's reach must not take the place of another. */
function digestOf({ target, of, documentPosition, name, identifier, reach, isCarried }: WaitingAnnotation): string {
  const key = JSON.stringify([target, of, documentPosition, name, identifier, reach, isCarried]);
  return createHash('sha256').update(key).digest('base64url');
}

/** As rows of sessions have it. */
function keyOf(target: AnnotationTarget, of: string): string {
  return target === 'session' ? boundedText(of) : of;
}

/** What became of annotations as they were sent. */
interface StoredSent {
  readonly projectRowIds: ReadonlySet<number>;
  readonly missing: readonly SentAnnotation[];
  readonly beyondReach: readonly SentAnnotation[];
}

/**
 * Stores the annotations whose target is there, each unless a newer one has its key; of those beyond the sender's reach none. What a span
 * carried replaces nothing that has an author.
 * @returns the projects in which they are, those annotations whose target is not there, and those that are beyond their sender's reach
 */
export async function storeSent(scope: RecordHandle, annotations: readonly SentAnnotation[]): Promise<StoredSent> {
  const projectRowIds = new Set<number>();
  const missing: SentAnnotation[] = [];
  const beyondReach: SentAnnotation[] = [];
  const byTarget = Map.groupBy(annotations, ({ target }) => target);
  for (const target of IN_ORDER) {
    const ofTarget = byTarget.get(target) ?? [];
    if (ofTarget.length === 0) continue;
    const targets = await lockTargets(
      scope,
      target,
      ofTarget.map(({ of }) => of),
    );
    const rows: { readonly [From in 'senders' | 'spans']: AnnotationRow[] } = { senders: [], spans: [] };
    for (const sent of ofTarget.toSorted((a, b) => a.atUs - b.atUs)) {
      const found = targets.get(sent.of);
      if (found === undefined) missing.push(sent);
      else if (sent.reach === null || sent.reach.includes(found.projectRowId)) {
        rows[sent.isCarried ? 'spans' : 'senders'].push({
          ...sent,
          targetRowId: found.rowId,
          projectRowId: found.projectRowId,
        });
        projectRowIds.add(found.projectRowId);
      } else beyondReach.push(sent);
    }
    await storeAnnotations(scope, target, rows.senders, { keepsNewer: true });
    await storeAnnotations(scope, target, rows.spans, { keepsNewer: true, keepsAuthored: true });
  }
  return { projectRowIds, missing, beyondReach };
}

/** Traces are locked before sessions. */
const IN_ORDER: readonly AnnotationTarget[] = ['span', 'document', 'trace', 'session'];

/** What arrived, by what senders call it. */
export interface ArrivedTargets {
  readonly spanIds: readonly string[];
  readonly traceIds: readonly string[];
  readonly sessionIds: readonly string[];
}

/** Row ids of annotations that wait for what has arrived, a bounded number; notes the targets for which more wait. */
export async function takeWaitingFor(
  scope: RecordHandle,
  { spanIds, traceIds, sessionIds }: ArrivedTargets,
): Promise<readonly number[]> {
  const { db, dialect } = scope;
  const any = await db.selectFrom('waiting_annotations').select('id').limit(1).executeTakeFirst();
  if (any === undefined) return [];
  const found: number[] = [];
  for (const [target, keys] of [
    ['span', spanIds],
    ['document', spanIds],
    ['trace', traceIds],
    ['session', sessionIds],
  ] as const) {
    if (keys.length === 0) continue;
    const rowIds = await findWaiting(scope, target, keys, ROWS_AT_ONCE + 1);
    found.push(...rowIds.slice(0, ROWS_AT_ONCE));
    if (rowIds.length <= ROWS_AT_ONCE) continue;
    await db
      .insertInto('arrived_targets')
      .columns(['target', 'target_key'])
      .expression(
        db
          .selectFrom('waiting_annotations')
          .select(['target', 'target_key'])
          .distinct()
          .where('target', '=', target)
          .where('target_key', 'in', dialect.textsOf(keys)),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return found;
}

/** Index: waiting_annotations_of_target. */
async function findWaiting(
  { db, dialect }: RecordHandle,
  target: AnnotationTarget,
  keys: readonly string[],
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('waiting_annotations')
    .select('id')
    .where('target', '=', target)
    .where('target_key', 'in', dialect.textsOf(keys))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** What one transaction stores of them; a job does the rest. */
const ROWS_AT_ONCE = 1000;

/** What became of annotations that waited. */
export interface SettledAnnotations {
  readonly projectRowIds: ReadonlySet<number>;
  readonly storedCount: number;
  /** How many waited for too long, by what they are about. */
  readonly expired: ReadonlyMap<AnnotationTarget, number>;
  /** How many a strict config refuses. */
  readonly refusedCount: number;
}

/**
 * Stores those of the annotations whose target is there, and gives up those that came before a time, if one is given, and those that a
 * config refuses which became strict while they waited.
 */
export async function settleWaiting(
  scope: RecordHandle,
  rowIds: readonly number[],
  givenUpBeforeUs: number | null,
): Promise<SettledAnnotations> {
  const { db, dialect } = scope;
  const expired = new Map<AnnotationTarget, number>();
  if (rowIds.length === 0) return { projectRowIds: new Set(), storedCount: 0, expired, refusedCount: 0 };
  const rows = await db
    .selectFrom('waiting_annotations')
    .selectAll()
    .where('id', 'in', dialect.numbersOf(rowIds))
    .orderBy('id')
    .execute();
  const sent = new Map(rows.map((row) => [toSent(row), row]));
  const allowed = await selectAllowed(scope, [...sent.keys()]);
  const { projectRowIds, missing } = await storeSent(scope, allowed);
  const gone = new Set(rows.map(({ id }) => id));
  for (const annotation of missing) {
    const row = sent.get(annotation);
    if (row === undefined) continue;
    if (givenUpBeforeUs === null || row.received_at_us > givenUpBeforeUs) gone.delete(row.id);
    else expired.set(row.target, (expired.get(row.target) ?? 0) + 1);
  }
  await db
    .deleteFrom('waiting_annotations')
    .where('id', 'in', dialect.numbersOf([...gone]))
    .execute();
  await forgetArrived(scope, missing);
  return {
    projectRowIds,
    storedCount: allowed.length - missing.length,
    expired,
    refusedCount: sent.size - allowed.length,
  };
}

function toSent(
  row: Omit<WaitingAnnotationsTable, 'id' | 'document_position' | 'identifier'> & {
    readonly id: number;
    readonly document_position: number;
    readonly identifier: string;
  },
): SentAnnotation {
  const { target, target_key: of, document_position: documentPosition, name, identifier, user_id: userRowId } = row;
  const key = { target, of, documentPosition, name, identifier };
  const said = JSON.parse(row.content) as WaitingContent;
  return { ...said, ...key, userRowId, isCarried: row.is_carried === 1, atUs: row.at_us };
}

/** Takes back that targets have arrived for which nothing waits any more, or that are not there after all. */
async function forgetArrived({ db, dialect }: RecordHandle, missing: readonly SentAnnotation[]): Promise<void> {
  const any = await db.selectFrom('arrived_targets').select('target').limit(1).executeTakeFirst();
  if (any === undefined) return;
  await db
    .deleteFrom('arrived_targets')
    .where(
      sql<SqlBool>`NOT EXISTS (SELECT 1 FROM waiting_annotations
        WHERE waiting_annotations.target = arrived_targets.target
          AND waiting_annotations.target_key = arrived_targets.target_key)`,
    )
    .execute();
  for (const [target, sent] of Map.groupBy(missing, (one) => one.target)) {
    const keys = sent.flatMap(({ of }) => (typeof of === 'string' ? of : []));
    await db
      .deleteFrom('arrived_targets')
      .where('target', '=', target)
      .where('target_key', 'in', dialect.textsOf(keys))
      .execute();
  }
}

/**
 * Some of the waiting annotations that can be settled: those that have waited for too long, else those that a commit left over. Nothing is
 * asked of the others. Index: waiting_annotations_by_time.
 */
export async function findSettleable(scope: RecordHandle, nowUs: number): Promise<readonly number[] | undefined> {
  const { db } = scope;
  const expired = await db
    .selectFrom('waiting_annotations')
    .select('id')
    .where('received_at_us', '<=', nowUs - WAITING_US)
    .orderBy('received_at_us')
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute();
  if (expired.length > 0) return expired.map(({ id }) => id);
  const arrived = await db.selectFrom('arrived_targets').selectAll().limit(ROWS_AT_ONCE).execute();
  const [[target, rows] = [undefined, []]] = Map.groupBy(arrived, (row) => row.target);
  if (target === undefined) return undefined;
  const keys = rows.map((row) => row.target_key);
  return findWaiting(scope, target, keys, ROWS_AT_ONCE);
}
