/** Reads what judges said of the same things, summed up by the database. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { labelDisagreement, scoreDisagreement } from '#derive/agreement/alpha';
import { type AnnotationTarget, type AnnotatorKind, NOTE_NAME } from '#domain/annotation';
import { isInProject, isSpanInProject } from '#store/spans/rows/visible';
import type { ReadHandle } from '../slice.ts';

/** Whose judgements: those of a name, of one kind of annotator or with one identifier where that is given. */
export interface Judge {
  readonly name: string;
  readonly annotatorKind?: AnnotatorKind | undefined;
  readonly identifier?: string | undefined;
}

/** What was judged. */
export interface JudgedScope {
  readonly projectRowId: number;
  readonly target: AnnotationTarget;
  /** Of the start of what was judged, inclusive. */
  readonly startTimeUs?: number | undefined;
  /** Exclusive. */
  readonly endTimeUs?: number | undefined;
}

/** What somebody said, and how often. */
export interface CountedAnswer {
  readonly label: string | null;
  readonly score: number | null;
  readonly count: number;
}

/** What two judges said of the same things, and how often. */
export interface CountedPair {
  readonly firstLabel: string | null;
  readonly firstScore: number | null;
  readonly secondLabel: string | null;
  readonly secondScore: number | null;
  readonly count: number;
}

/** Groups that one answer is made from; scores with many digits make one of each. */
export const MAX_GROUPS = 20_000;

/** What a judge said; of several judgements of one thing the latest. Index: annotations_of_project. */
export async function countAnswers(
  { db }: ReadHandle,
  scope: JudgedScope,
  judge: Judge,
): Promise<readonly CountedAnswer[]> {
  const { rows } = await sql<CountedAnswer>`SELECT label, score, count(*) AS count FROM ${latest(scope, judge)} AS said
    GROUP BY label, score ORDER BY count(*) DESC LIMIT ${MAX_GROUPS + 1}`.execute(db);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** What both said of the same things. Index: annotations_of_project. */
export async function countJudgedPairs(
  { db }: ReadHandle,
  scope: JudgedScope,
  first: Judge,
  second: Judge,
): Promise<readonly CountedPair[]> {
  const { rows } = await sql<CountedPair>`SELECT one.label AS "firstLabel", one.score AS "firstScore",
      other.label AS "secondLabel", other.score AS "secondScore", count(*) AS count
    FROM ${latest(scope, first)} AS one JOIN ${latest(scope, second)} AS other
      ON other.target_row_id = one.target_row_id AND other.document_position = one.document_position
    GROUP BY one.label, one.score, other.label, other.score ORDER BY count(*) DESC LIMIT ${MAX_GROUPS + 1}`.execute(db);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** What alpha is made of, for the labels and for the scores of all annotators of a name. Index: annotations_of_project. */
export async function sumDisagreement({ db }: ReadHandle, scope: JudgedScope, name: string) {
  const said = sql`SELECT target_row_id, document_position, label, score FROM annotations WHERE ${isOf(scope, { name })}`;
  const byLabel = sql`SELECT target_row_id, document_position, label, count(*) AS amount FROM (${said}) AS said
    WHERE label IS NOT NULL GROUP BY target_row_id, document_position, label`;
  const ofThing = sql`SELECT target_row_id, document_position, sum(amount) AS amount, sum(amount * amount) AS squares
    FROM (${byLabel}) AS by_label GROUP BY target_row_id, document_position HAVING sum(amount) > 1`;
  const labelThings = await sql<Numbers>`SELECT amount, squares, count(*) AS things
    FROM (${ofThing}) AS things GROUP BY amount, squares`.execute(db);
  const labelTotals = await sql<Numbers>`SELECT sum(by_label.amount) AS amount FROM (${byLabel}) AS by_label
    JOIN (${ofThing}) AS things ON things.target_row_id = by_label.target_row_id
      AND things.document_position = by_label.document_position GROUP BY by_label.label`.execute(db);
  // Differences do not depend on where the scores begin, and squares of large numbers lose digits.
  const { rows: pivots } = await sql<Numbers>`SELECT avg(score) AS pivot FROM (${said}) AS said`.execute(db);
  const score = sql`(score - ${numberOf(pivots[0], 'pivot')})`;
  const scoreThings = sql`SELECT count(*) AS amount, sum(${score}) AS sum, sum(${score} * ${score}) AS squares
    FROM (${said}) AS said WHERE score IS NOT NULL GROUP BY target_row_id, document_position HAVING count(*) > 1`;
  const scores = await sql<Numbers>`SELECT sum(amount) AS amount, sum(sum) AS sum, sum(squares) AS squares,
      sum(2 * (amount * squares - sum * sum) / (amount - 1)) AS observed
    FROM (${scoreThings}) AS things`.execute(db);
  return { labels: toLabelSums(labelThings.rows, labelTotals.rows), scores: toScoreSums(scores.rows[0]) };
}

/** PostgreSQL answers sums as texts. */
type Numbers = Readonly<Record<string, number | string | null>>;

function toLabelSums(things: readonly Numbers[], totals: readonly Numbers[]) {
  let [observed, valueCount, squares] = [0, 0, 0];
  for (const row of things) {
    const count = numberOf(row, 'amount');
    const same = { count, squares: numberOf(row, 'squares') };
    observed += (numberOf(row, 'things') * labelDisagreement(same)) / (count - 1);
  }
  for (const row of totals) {
    valueCount += numberOf(row, 'amount');
    squares += numberOf(row, 'amount') ** 2;
  }
  return { observed, valueCount, total: labelDisagreement({ count: valueCount, squares }) };
}

function toScoreSums(row: Numbers | undefined) {
  const valueCount = numberOf(row, 'amount');
  const sums = { count: valueCount, sum: numberOf(row, 'sum'), squares: numberOf(row, 'squares') };
  return { observed: numberOf(row, 'observed'), valueCount, total: scoreDisagreement(sums) };
}

function numberOf(row: Numbers | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

/** All who used one identifier, as one kind of annotator: filters tell them no further apart. */
export interface Annotator {
  readonly annotatorKind: AnnotatorKind;
  readonly identifier: string;
  /** Of the account, where all of it is by one. */
  readonly username: string | null;
  readonly count: number;
}

/** Those who judged most. Index: annotations_of_project. */
export async function listAnnotators(
  { db }: ReadHandle,
  scope: JudgedScope,
  name: string,
  limit: number,
): Promise<readonly Annotator[]> {
  const { rows } = await sql<Annotator>`SELECT said."annotatorKind", said.identifier, said.count,
      (SELECT username FROM users WHERE users.id = said.user_id) AS username
    FROM (SELECT annotator_kind AS "annotatorKind", identifier, count(*) AS count,
        CASE WHEN count(user_id) = count(*) AND min(user_id) = max(user_id) THEN max(user_id) END AS user_id
      FROM annotations WHERE ${isOf(scope, { name })} GROUP BY annotator_kind, identifier) AS said
    ORDER BY said.count DESC, said."annotatorKind", said.identifier LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** An annotator of a name. */
export interface NamedAnnotator extends Pick<Annotator, 'annotatorKind' | 'identifier'> {
  readonly name: string;
}

/**
 * The two annotators of one name who judged most of the same things, those included that are being deleted; undefined where nothing
 * was judged twice. Notes are no judgements.
 * Index: annotations_of_project, annotations_of_target.
 */
export async function findAnnotatorPair(
  { db }: ReadHandle,
  { projectRowId, target }: Pick<JudgedScope, 'projectRowId' | 'target'>,
): Promise<readonly [NamedAnnotator, NamedAnnotator] | undefined> {
  const row = await db
    .selectFrom('annotations as one')
    .innerJoin('annotations as other', (join) =>
      join
        .onRef('other.target', '=', 'one.target')
        .onRef('other.target_row_id', '=', 'one.target_row_id')
        .onRef('other.name', '=', 'one.name')
        .onRef('other.document_position', '=', 'one.document_position')
        .onRef('other.identifier', '>', 'one.identifier'),
    )
    .select([
      'one.name',
      'one.annotator_kind as firstKind',
      'one.identifier as firstIdentifier',
      'other.annotator_kind as secondKind',
      'other.identifier as secondIdentifier',
    ])
    .where('one.project_id', '=', projectRowId)
    .where('one.target', '=', target)
    .where('one.name', '<>', NOTE_NAME)
    .groupBy(['one.name', 'one.annotator_kind', 'one.identifier', 'other.annotator_kind', 'other.identifier'])
    .orderBy((of) => of.fn.countAll(), 'desc')
    .orderBy('one.name')
    .orderBy('one.identifier')
    .orderBy('other.identifier')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name } = row;
  return [
    { name, annotatorKind: row.firstKind, identifier: row.firstIdentifier },
    { name, annotatorKind: row.secondKind, identifier: row.secondIdentifier },
  ];
}

/** The latest judgement of each thing by the judge. */
function latest(scope: JudgedScope, judge: Judge): RawBuilder<unknown> {
  return sql`(SELECT target_row_id, document_position, label, score FROM (
    SELECT target_row_id, document_position, label, score,
      row_number() OVER (PARTITION BY target_row_id, document_position ORDER BY updated_at_us DESC, id DESC) AS place
    FROM annotations WHERE ${isOf(scope, judge)}) AS ordered WHERE place = 1)`;
}

/** Whether a row of `annotations` is by the judge, and of something in the scope that is shown. */
function isOf(scope: JudgedScope, { name, annotatorKind, identifier }: Judge): RawBuilder<SqlBool> {
  const { projectRowId, target, startTimeUs, endTimeUs } = scope;
  const table = { span: 'spans', document: 'spans', trace: 'traces', session: 'sessions' } as const;
  const isThere = table[target] === 'spans' ? isSpanInProject : isInProject(table[target]);
  const start = sql.ref(`${table[target]}.start_us`);
  const conditions = [
    sql`annotations.project_id = ${projectRowId}`,
    sql`annotations.target = ${target}`,
    sql`annotations.name = ${name}`,
    ...(annotatorKind === undefined ? [] : [sql`annotations.annotator_kind = ${annotatorKind}`]),
    ...(identifier === undefined ? [] : [sql`annotations.identifier = ${identifier}`]),
    sql`EXISTS (SELECT 1 FROM ${sql.table(table[target])}
      WHERE ${sql.ref(`${table[target]}.id`)} = annotations.target_row_id AND ${isThere}
      ${startTimeUs === undefined ? sql`` : sql`AND ${start} >= ${startTimeUs}`}
      ${endTimeUs === undefined ? sql`` : sql`AND ${start} < ${endTimeUs}`})`,
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}
