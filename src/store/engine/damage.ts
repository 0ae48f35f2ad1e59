/**
 * Damage: something stored that is not what was stored. The code that finds it notes it, whether it can answer all the same or not;
 * a thread sends what its code notes to the main thread, which logs and counts each thing once.
 */
import { errorMessage } from '#base/errors';
import type { TablePlace } from './table-check.ts';
import type { ReadAround } from './around-damage.ts';

/** How the name of the file ends that remembers, beside a data file, what is damaged in it. */
export const DAMAGE_SUFFIX = '.damage';

/** What is damaged: originals of spans or log records, something that is made of them, what many spans share, sums of projects, what people made, or pages of the database. */
export const DAMAGE_KINDS = [
  'span',
  'log_record',
  'columns',
  'search_words',
  'resource',
  'sums',
  'record',
  'database',
] as const;

/** One of {@link DAMAGE_KINDS}. */
export type DamageKind = (typeof DAMAGE_KINDS)[number];

/** A span whose original is lost. */
export interface LostSpan {
  readonly traceId: string;
  readonly spanId: string;
}

/** Spans and traces of a project that start in a stretch of time, in microseconds since the Unix epoch; `null` where it has no bound. */
export interface SummedStretch {
  readonly projectRowId: number;
  readonly fromUs: number | null;
  readonly belowUs: number | null;
}

/** An index that does not lead to all of its rows. */
export interface DamagedIndex {
  readonly table: string;
  readonly name: string;
  /** Whether its rows can be believed, so that it can be made again from them. */
  readonly isRebuildable: boolean;
  /** Making it again takes so long that a command does it while the server is stopped. */
  readonly isLarge?: boolean;
}

/** Something that is damaged. */
export interface Damage {
  readonly kind: DamageKind;
  /** A sentence that names what is lost, and the same each time that it is found. */
  readonly message: string;
  /** The spans whose originals are lost, a bounded number. */
  readonly spans: readonly LostSpan[];
  /** What is lost that these spans share with others, in words; those that share it are one thing. */
  readonly shared?: string;
  /** The segment of damaged columns, which is to be built again. */
  readonly segment?: number;
  /** The part of the search index with damaged words, which is to be mended. */
  readonly part?: number;
  /** Log records that are lost, by row id, a bounded number. */
  readonly logRecordRowIds?: readonly number[];
  /** Rows of spans that cannot be read, by row id. */
  readonly spanRowIds?: readonly number[];
  readonly index?: DamagedIndex;
  /** How far all tables are read again, for pages of which the engine does not say where they are. */
  readonly recheckedTo?: TablePlace;
  /** Where the sums of a project are not those of its rows. */
  readonly sums?: SummedStretch;
  /** The row that many spans share. */
  readonly envelope?: { readonly table: 'otel_resources' | 'instrumentation_scopes'; readonly rowId: number };
}

type DamageListener = (damage: Damage) => void;

let listener: DamageListener | undefined;

/** Tells the listener what is noted in this thread from now on; there is one listener in a thread. */
export function listenForDamage(hear: DamageListener): void {
  listener = hear;
}

/**
 * Notes pages of the database that the engine cannot read.
 * @param what names what is on them, as the subject of a sentence
 */
export function notePageDamage(what: string, error: unknown): void {
  noteDamage(pageDamage(what, error));
}

function pageDamage(what: string, error: unknown): Damage {
  return { kind: 'database', message: `${what} cannot be read: ${errorMessage(error)}.`, spans: [] };
}

/** Notes rows of spans that the engine cannot read, if there are any, by their ids. */
export function noteUnreadableSpans({ unreadable, error }: Pick<ReadAround<unknown>, 'unreadable' | 'error'>): void {
  if (unreadable.length === 0) return;
  const sorted = unreadable.toSorted((a, b) => a - b);
  const what = `Rows of spans with IDs from ${sorted[0]} to ${sorted.at(-1)}`;
  noteDamage({ ...pageDamage(what, error), spanRowIds: unreadable });
}

/** Notes damage that was found in this thread. */
export function noteDamage(damage: Damage): void {
  listener?.(damage);
}
