/** The members of a set that a table holds, as far as a question has asked for them. */
import { type Expression, expressionBuilder, type Kysely, sql, type SqlBool } from 'kysely';
import type { SetReference } from '#filter/tree';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { STORE_SETS } from './annotation-sets.ts';
import type { MemberQuery, MemberTest, SetCatalogue, SetDefinition } from './define-set.ts';
import type { Members } from './members.ts';
import { RangeList, type RowIdRange } from './range-list.ts';
import { RowSet } from './row-set.ts';

/** What sets are read with. */
export interface SetScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly sets?: SetCatalogue | undefined;
}

/**
 * Remembers which row ids it has asked for and which of them are members. Every statement reads a bounded number of members, so
 * that a rare set is known after one statement, and a common one as far as the question has come.
 */
export class SetMembers implements Members {
  readonly #scope: SetScope;
  readonly #set: SetReference;
  #known = new RowSet();
  #ranges = new RangeList();
  #limit = FIRST_LIMIT;
  #memberTest: { readonly holds: MemberTest | null } | undefined;

  constructor(scope: SetScope, set: SetReference) {
    this.#scope = scope;
    this.#set = set;
  }

  async look(rowIds: readonly number[]): Promise<RowSet> {
    this.#forgetWhatIsMuch();
    const [first, last] = [rowIds[0], rowIds.at(-1)];
    if (first === undefined || last === undefined) return this.#known;
    if (last - first < Math.max(SMALLEST_RANGE, rowIds.length * SPARSENESS)) {
      await this.#cover({ from: first, end: last + 1 });
      return this.#known;
    }
    const open = rowIds.filter((rowId) => !this.#ranges.holds({ from: rowId, end: rowId + 1 }));
    for (let start = 0; start < open.length; start += IDS_AT_ONCE)
      this.#add(await this.#readIds(open.slice(start, start + IDS_AT_ONCE)));
    return this.#known;
  }

  async cover(range: RowIdRange): Promise<void> {
    this.#forgetWhatIsMuch();
    await this.#cover(range);
  }

  isKnown(range: RowIdRange): boolean {
    return this.#ranges.holds(range);
  }

  countKnown({ from, end }: RowIdRange): number {
    return this.#known.countIn(from, end);
  }

  async list(range: RowIdRange, limit: number): Promise<readonly number[] | null> {
    if (!this.isKnown(range)) await this.#readPart(range, 'desc', limit + 1);
    if (!this.isKnown(range)) return null;
    const found = [...this.#known].filter((rowId) => rowId >= range.from && rowId < range.end);
    return found.length > limit ? null : found;
  }

  async #cover(range: RowIdRange): Promise<void> {
    for (;;) {
      const gap = this.#ranges.gapIn(range);
      if (gap === null) return;
      // A walk goes on where it has come from: what lies ahead of it is read along, up to the limit.
      const { below, above } = this.#ranges.around(gap);
      const isUp = below === gap.from;
      const wider = isUp ? { from: gap.from, end: above } : { from: below, end: gap.end };
      const direction = isUp ? 'asc' : 'desc';
      const isFull = await this.#readPart(wider, direction, this.#limit);
      if (isFull) this.#limit = Math.min(this.#limit * 2, LARGEST_LIMIT);
    }
  }

  /** Reads so many rows of a range, and notes up to where they tell; whether there were as many. */
  async #readPart({ from, end }: RowIdRange, direction: 'asc' | 'desc', limit: number): Promise<boolean> {
    const rows = await this.#readRows({ from, end }, direction, limit);
    const last = rows.length < limit ? undefined : rows.at(-1)?.id;
    const isTested = this.#test() !== null;
    // Of the last row id there may be more rows, one of which passes.
    const whole = isTested && last !== undefined ? rows.filter(({ id }) => id !== last) : rows;
    if (whole.length === 0 && rows.length > 0) return this.#readPart({ from, end }, direction, limit * 2);
    this.#add(this.#membersIn(whole));
    if (last === undefined) this.#ranges.add({ from, end });
    else if (direction === 'asc') this.#ranges.add({ from, end: isTested ? last : last + 1 });
    else this.#ranges.add({ from: isTested ? last + 1 : last, end });
    return last !== undefined;
  }

  #add(rowIds: readonly number[]): void {
    for (const rowId of rowIds) this.#known.add(rowId);
  }

  #forgetWhatIsMuch(): void {
    if (this.#known.size <= MAX_KNOWN) return;
    this.#known = new RowSet();
    this.#ranges = new RangeList();
  }

  #readRows({ from, end }: RowIdRange, direction: 'asc' | 'desc', limit: number): Promise<readonly MemberRow[]> {
    const isInside = (column: string) => {
      const ref = sql.ref(column);
      return end === Infinity ? sql<SqlBool>`${ref} >= ${from}` : sql<SqlBool>`(${ref} >= ${from} AND ${ref} < ${end})`;
    };
    return this.#select(isInside, (query) => query.orderBy('member.id', direction).limit(limit));
  }

  async #readIds(rowIds: readonly number[]): Promise<readonly number[]> {
    const isOne = (column: string) =>
      expressionBuilder<Tables>()(sql.ref<number>(column), 'in', this.#scope.dialect.numbersOf(rowIds));
    return this.#membersIn(await this.#select(isOne, (query) => query));
  }

  #membersIn(rows: readonly MemberRow[]): readonly number[] {
    const test = this.#test();
    return (test === null ? rows : rows.filter(test)).map(({ id }) => id);
  }

  #test(): MemberTest | null {
    const { dialect, sets } = this.#scope;
    this.#memberTest ??= { holds: definitionOf(this.#set, sets).memberTest?.(this.#set.parameters, dialect) ?? null };
    return this.#memberTest.holds;
  }

  async #select(
    holds: (column: string) => Expression<SqlBool>,
    narrow: (query: ReturnType<typeof selectMembers>) => ReturnType<typeof selectMembers>,
  ): Promise<readonly MemberRow[]> {
    const { db, dialect, sets } = this.#scope;
    const definition = definitionOf(this.#set, sets);
    const members = definition.rowIdsIn(db, dialect, { holds }, this.#set.parameters);
    return members === null ? [] : narrow(selectMembers(db, members)).execute();
  }
}

/** A row of the query; beside the id, what tests ask for. */
interface MemberRow extends Readonly<Record<string, unknown>> {
  readonly id: number;
}

/** @throws Error where the server has no such set */
function definitionOf({ name, subject }: SetReference, others: SetCatalogue | undefined): SetDefinition<object> {
  const definition = STORE_SETS.get(name) ?? others?.get(name);
  if (definition?.subject !== subject) throw new Error(`there is no set ${name} of ${subject}s`);
  return definition;
}

function selectMembers(db: Kysely<Tables>, members: MemberQuery) {
  return db.selectFrom(members.as('member')).selectAll('member');
}

/** Members that one statement reads; more where all that were asked for are there again and again. */
const FIRST_LIMIT = 4096;
const LARGEST_LIMIT = 65_536;

/** Row ids that lie closer together than this are asked for as one range. */
const SMALLEST_RANGE = 4096;
const SPARSENESS = 16;

/** Single row ids in one statement. */
const IDS_AT_ONCE = 4096;

/** Some 30 MB where they lie far apart. */
const MAX_KNOWN = 900_000;
