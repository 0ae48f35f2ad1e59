/** Annotations that spans carried, stored with them in one transaction. */
import type { CarriedAnnotation } from '#derive/carried-annotations';
import type { RecordHandle } from '../../records/hooks.ts';
import { digestOfCarried, noteCarried, readCarried } from './carried-before.ts';
import { findTargets } from './find-targets.ts';
import { selectAllowed } from './strict-configs.ts';
import { letWait, type SentAnnotation, storeSent } from './waiting.ts';

/** A span that is stored, and what it carried. */
export interface CarrierSpan {
  readonly rowId: number;
  readonly traceId: string;
  readonly endUs: number;
  readonly carried: readonly CarriedAnnotation[];
  /** Whether it was stored before, and a log record adds to what it carries: that may have another sender, and speaks of the span alone. */
  readonly isReadAgain: boolean;
  /** The projects that its sender may write to; `null` for all. */
  readonly reach: readonly number[] | null;
}

/** What became of annotations that spans carried. */
export interface CarriedOutcome {
  /** The projects in which they are. */
  readonly projectRowIds: ReadonlySet<number>;
  /** Those that a strict config refuses. */
  readonly refusedCount: number;
  /** Those that there was no room to let wait. */
  readonly leftOutCount: number;
}

/**
 * Stores what spans carried and did not carry before; what is about others that have not arrived waits for them. Said when the carrier
 * ended, so that a span that is sent again changes nothing that was said since.
 */
export async function storeCarried(
  scope: RecordHandle,
  carriers: readonly CarrierSpan[],
  nowUs: number,
): Promise<CarriedOutcome> {
  const sessions = await findOwnSessions(scope, carriers);
  const rowIds = carriers.map(({ rowId }) => rowId);
  const before = await readCarried(scope, rowIds);
  const now = new Map(rowIds.map((rowId) => [rowId, new Set<string>()]));
  const digests = new Map<SentAnnotation, { readonly rowId: number; readonly digest: string }>();
  for (const carrier of carriers) {
    for (const said of carrier.carried) {
      const [digest, { rowId }] = [digestOfCarried(said), carrier];
      if (before.get(rowId)?.has(digest)) now.get(rowId)?.add(digest);
      else if (said.of === null || !carrier.isReadAgain) {
        digests.set(toSent(carrier, said, sessions, nowUs), { rowId, digest });
      }
    }
  }
  const sent = [...digests.keys()];
  const allowed = await selectAllowed(scope, sent);
  const { projectRowIds, missing, beyondReach } = await storeSent(scope, allowed);
  const leftOut = await letWait(scope, missing, nowUs, 'leave out');
  // What was not taken may come again.
  const refused = new Set([...beyondReach, ...leftOut]);
  for (const one of allowed.filter((annotation) => !refused.has(annotation))) {
    const { rowId = 0, digest = '' } = digests.get(one) ?? {};
    now.get(rowId)?.add(digest);
  }
  await noteCarried(scope, now);
  return { projectRowIds, refusedCount: sent.length - allowed.length, leftOutCount: leftOut.length };
}

function toSent(
  { rowId, traceId, endUs, reach }: CarrierSpan,
  { of, ...said }: CarriedAnnotation,
  sessions: ReadonlyMap<string, number>,
  nowUs: number,
): SentAnnotation {
  const own = { span: rowId, trace: traceId, session: rowId }[said.target];
  const session = said.target === 'session' ? sessions.get(`${traceId} ${of}`) : undefined;
  const shared = { documentPosition: -1, source: 'API', userRowId: null } as const;
  return { ...said, ...shared, of: session ?? of ?? own, atUs: Math.min(endUs, nowUs), reach, isCarried: true };
}

/** A session that a carrier names is that of the carrier's project, by trace and name. */
async function findOwnSessions(
  scope: RecordHandle,
  carriers: readonly CarrierSpan[],
): Promise<ReadonlyMap<string, number>> {
  const { db, dialect } = scope;
  const naming = carriers.filter(({ carried }) => carried.some(({ target }) => target === 'session'));
  const sessions = new Map<string, number>();
  if (naming.length === 0) return sessions;
  const traces = await db
    .selectFrom('traces')
    .select(['trace_id', 'project_id'])
    .where('trace_id', 'in', dialect.textsOf([...new Set(naming.map(({ traceId }) => traceId))]))
    .execute();
  const projects = new Map(traces.map((trace) => [trace.trace_id, trace.project_id]));
  for (const [projectRowId, inProject] of Map.groupBy(naming, ({ traceId }) => projects.get(traceId))) {
    const names = inProject.flatMap(({ carried }) =>
      carried.flatMap(({ target, of }) => (target === 'session' && of !== null ? of : [])),
    );
    const found = await findTargets(scope, 'session', [...new Set(names)], projectRowId);
    for (const { traceId } of inProject) for (const [name, rowId] of found) sessions.set(`${traceId} ${name}`, rowId);
  }
  return sessions;
}
