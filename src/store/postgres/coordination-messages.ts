/** What servers tell each other, as the payload of a notification: JSON, as exact as there is room for. */
import { nextMomentUs } from '#base/moment';
import type { Message } from '../coordination/port.ts';
import type { RunStatement } from '../schema/statements.ts';
import type { JobKind } from '../jobs/job.ts';
import type { TouchedProject } from '../engine/touched-project.ts';

/** A message between coordinators: those for everybody, one about jobs of a kind, and that the schema has changed. */
export type Notice = Message | { readonly kind: 'wake'; readonly job: JobKind } | { readonly kind: 'migrated' };

/**
 * The payload of a notice. Where all traces do not fit only projects are told, and where these do not, that anything may be
 * another.
 */
export function encodeNotice(serverId: string, notice: Notice): string {
  const exact = toPayload(serverId, notice);
  if (notice.kind !== 'touched' || fits(exact)) return exact;
  const touched = notice.touched.map((project) => ({ ...project, traceIds: null }));
  const coarse = toPayload(serverId, { kind: 'touched', touched });
  return fits(coarse) ? coarse : toPayload(serverId, { kind: 'anything', changedAtUs: lastOf(touched) });
}

/** What another server told; `undefined` for what this one did. What cannot be read may have said anything. */
export function decodeNotice(payload: string, serverId: string): Notice | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    if (!isObject(value)) return anything();
    return value['s'] === serverId ? undefined : (toNotice(value) ?? anything());
  } catch {
    return anything();
  }
}

/**
 * Tells the other servers what a transaction touched, when it commits and not otherwise. To be called within the transaction, on
 * its connection.
 */
export async function notifyTouched(
  run: RunStatement,
  serverId: string,
  touched: readonly TouchedProject[],
): Promise<void> {
  if (touched.length > 0) await run(NOTIFY, [encodeNotice(serverId, { kind: 'touched', touched })]);
}

/** The channel of all servers on the schema; its parameter is the payload. */
export const NOTIFY = `SELECT pg_notify('cairn_' || oid, $1) FROM pg_namespace WHERE nspname = current_schema()`;

/** PostgreSQL takes less than 8,000. */
const MAX_PAYLOAD_BYTES = 7900;

function fits(payload: string): boolean {
  return Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES;
}

/** Names of one letter: most of a payload is ids of traces. */
function toPayload(s: string, notice: Notice): string {
  switch (notice.kind) {
    case 'touched':
      // What one transaction touched has one moment.
      return JSON.stringify({
        s,
        t: notice.touched.map(({ projectRowId, traceIds }) => [projectRowId, traceIds]),
        a: lastOf(notice.touched),
      });
    case 'erased':
      return JSON.stringify({ s, e: notice.deletionRowId });
    case 'wake':
      return JSON.stringify({ s, w: notice.job });
    case 'migrated':
      return JSON.stringify({ s, m: 1 });
    case 'anything':
      return JSON.stringify({ s, a: notice.changedAtUs });
  }
}

function toNotice({ t, e, w, m, a }: Readonly<Record<string, unknown>>): Notice | undefined {
  // Servers of the version before do not say it.
  const changedAtUs = typeof a === 'number' ? a : nextMomentUs();
  if (Array.isArray(t)) {
    const touched = t.map((one) => toTouched(one, changedAtUs));
    return touched.includes(undefined) ? undefined : { kind: 'touched', touched: touched.filter(isDefined) };
  }
  if (m === 1) return { kind: 'migrated' };
  if (e === null || typeof e === 'number') return { kind: 'erased', deletionRowId: e };
  return isJobKind(w) ? { kind: 'wake', job: w } : { kind: 'anything', changedAtUs };
}

function anything(): Notice {
  return { kind: 'anything', changedAtUs: nextMomentUs() };
}

function lastOf(touched: readonly TouchedProject[]): number {
  return Math.max(...touched.map(({ changedAtUs }) => changedAtUs));
}

function toTouched(value: unknown, changedAtUs: number): TouchedProject | undefined {
  if (!Array.isArray(value)) return undefined;
  const [projectRowId, traceIds] = value as readonly unknown[];
  if (typeof projectRowId !== 'number') return undefined;
  if (traceIds === null) return { projectRowId, traceIds, changedAtUs };
  return Array.isArray(traceIds) && traceIds.every(isText) ? { projectRowId, traceIds, changedAtUs } : undefined;
}

const JOB_KINDS: Readonly<Record<JobKind, true>> = {
  compaction: true,
  columns: true,
  search: true,
  removal: true,
  retention: true,
  verification: true,
  reindex: true,
  repricing: true,
  bulk: true,
};

/** Servers of a newer version may have others. */
function isJobKind(value: unknown): value is JobKind {
  return isText(value) && Object.hasOwn(JOB_KINDS, value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
