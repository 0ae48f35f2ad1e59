import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Adds what the figures of a project are summed from: spans and traces by quarter of an hour, latencies of traces by half a day. Triggers
 * keep them, so that no way to change a span or a trace can forget them.
 */
export const name = '0024-add-project-sums';

export function statements({ name: engine, define }: SqlDialect): readonly string[] {
  const tables = SUMS.map(({ table, keys, sums }) => {
    const columns = [...Object.keys(keys), ...Object.keys(sums)].map((column) => `${column} INTEGER NOT NULL`);
    return `CREATE TABLE ${table} (
    ${columns.join(',\n    ')},
    PRIMARY KEY (${Object.keys(keys).join(', ')})
  ) WITHOUT ROWID`;
  });
  return [
    define(`ALTER TABLE traces ADD COLUMN latency_step INTEGER GENERATED ALWAYS AS (${STEP[engine]}) VIRTUAL`),
    // A percentile is looked up among the latencies of one step, of the traces that started in a range.
    'CREATE INDEX traces_by_latency_step ON traces (project_id, latency_step, start_us, latency_us)',
    ...tables.map(define),
    ...SUMS.flatMap(TRIGGERS[engine]),
    ...SUMS.map((sum) => addRows(sum, `(SELECT 1 AS sign, ${columnsOf(sum).join(', ')} FROM ${sum.of}) AS stored`)),
  ];
}

/** As of spans: the length of the number, and its first two digits. */
const STEP: Readonly<Record<SqlDialect['name'], string>> = {
  sqlite: 'length(max(end_us - start_us, 0)) * 100 + substr(max(end_us - start_us, 0), 1, 2)',
  postgres:
    'length(greatest(end_us - start_us, 0)::text) * 100 + left(greatest(end_us - start_us, 0)::text, 2)::bigint',
};

const QUARTER_US = 900_000_000;
const HALF_DAY_US = 48 * QUARTER_US;

/** Expressions of a row of what is summed, whose columns have `$` before them. */
type Expressions = Readonly<Record<string, string>>;

interface Sum {
  readonly of: 'spans' | 'traces';
  readonly table: string;
  readonly keys: Expressions;
  /** The first is the number of rows. */
  readonly sums: Expressions;
}

const COSTS = ['cost_nanousd', 'prompt_cost_nanousd', 'completion_cost_nanousd'];

/** Of latencies a quarter of an hour would have almost as many rows as traces. */
const SUMS: readonly Sum[] = [
  {
    of: 'spans',
    table: 'span_sums',
    keys: { project_id: '$project_id', quarter: `$start_us / ${QUARTER_US}` },
    sums: { span_count: '1' },
  },
  {
    of: 'traces',
    table: 'trace_sums',
    keys: { project_id: '$project_id', quarter: `$start_us / ${QUARTER_US}` },
    sums: {
      trace_count: '1',
      ...Object.fromEntries(['prompt_tokens', 'completion_tokens', ...COSTS].map((column) => [column, `$${column}`])),
    },
  },
  {
    of: 'traces',
    table: 'trace_latencies',
    keys: {
      project_id: '$project_id',
      stretch: `$start_us / ${HALF_DAY_US}`,
      latency_step: '$latency_step',
    },
    sums: { trace_count: '1' },
  },
];

function inRow(expression: string, row?: string): string {
  return expression.replaceAll('$', row === undefined ? '' : `${row}.`);
}

/** Traces that a deletion has hidden have no project. */
const IS_SHOWN = '$project_id > 0';

const TRIGGERS: Readonly<Record<SqlDialect['name'], (sum: Sum) => readonly string[]>> = {
  sqlite(sum) {
    const { of, table, keys, sums } = sum;
    const columns = [...Object.keys(keys), ...Object.keys(sums)];
    const within = (row: string) => (expression: string) => inRow(expression, row);
    const add = `INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${[...Object.values(keys), ...Object.values(sums)].map(within('NEW')).join(', ')} WHERE ${within('NEW')(IS_SHOWN)}
      ON CONFLICT (${Object.keys(keys).join(', ')}) DO UPDATE SET ${addExcluded(sum, '')};`;
    const isOld = Object.entries(keys).map(([column, expression]) => `${column} = ${within('OLD')(expression)}`);
    const subtract = `UPDATE ${table} SET ${Object.entries(sums)
      .map(([column, expression]) => `${column} = ${column} - ${within('OLD')(expression)}`)
      .join(', ')}
      WHERE ${isOld.join(' AND ')};
      DELETE FROM ${table} WHERE ${isOld.join(' AND ')} AND ${countOf(sum)} = 0;`;
    const trigger = (event: string, on: string, condition: string, body: string) =>
      `CREATE TRIGGER ${table}_by_${event} AFTER ${on} ON ${of}${condition}\n    BEGIN\n      ${body}\n    END`;
    const update = `UPDATE OF ${writtenColumns(sum).join(', ')}`;
    const isElsewhere = isChanged(Object.values(keys), 'NEW', 'OLD');
    const triggers = [
      trigger('insert', 'INSERT', '', add),
      trigger('move', update, `\n    WHEN ${isElsewhere}`, `${add}\n      ${subtract}`),
      trigger('delete', 'DELETE', '', subtract),
    ];
    const changing = Object.entries(sums).filter(([, expression]) => isOfRow(expression));
    if (changing.length === 0) return triggers;
    const differences = changing.map(
      ([column, value]) => `${column} = ${column} + ${within('NEW')(value)} - ${within('OLD')(value)}`,
    );
    const isOther = isChanged(Object.values(sums), 'NEW', 'OLD');
    const change = `UPDATE ${table} SET ${differences.join(', ')}
      WHERE ${isOld.join(' AND ')};`;
    return [...triggers, trigger('change', update, `\n    WHEN NOT (${isElsewhere}) AND (${isOther})`, change)];
  },
  // Once a statement, not once a row.
  postgres(sum) {
    const { of, table } = sum;
    return Object.entries(changedRows(sum)).flatMap(([event, { rows, tables }]) => {
      const addition = addRows(sum, `(${rows}) AS changed`);
      return [
        `CREATE FUNCTION ${table}_after_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${addition};${event === 'insert' ? '' : `\n      ${deleteEmpty(sum)};`}
      RETURN NULL;
    END $$`,
        `CREATE TRIGGER ${table}_by_${event} AFTER ${event.toUpperCase()} ON ${of}
    REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION ${table}_after_${event}()`,
      ];
    });
  },
};

/** What comes and what goes at a statement, with a sign. */
function changedRows(sum: Sum) {
  const columns = (row: string) => columnsOf(sum).map((column) => `${row}${column}`);
  const both = `new_rows JOIN old_rows ON old_rows.id = new_rows.id WHERE ${isChanged([...Object.values(sum.keys), ...Object.values(sum.sums)], 'new_rows', 'old_rows')}`;
  return {
    insert: { rows: `SELECT 1 AS sign, ${columns('').join(', ')} FROM new_rows`, tables: 'NEW TABLE AS new_rows' },
    update: {
      rows: `SELECT 1 AS sign, ${columns('new_rows.').join(', ')} FROM ${both}
          UNION ALL SELECT -1, ${columns('old_rows.').join(', ')} FROM ${both}`,
      tables: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
    },
    delete: { rows: `SELECT -1 AS sign, ${columns('').join(', ')} FROM old_rows`, tables: 'OLD TABLE AS old_rows' },
  };
}

/** Adds the sums of rows that have a sign. */
function addRows(sum: Sum, rows: string): string {
  const { table, keys, sums } = sum;
  const keysOfRow = Object.values(keys).map((expression) => inRow(expression));
  const values = Object.values(sums).map((expression) => `sum(sign * ${inRow(expression)})`);
  const anything = values.map((value) => `${value} <> 0`).join(' OR ');
  return `INSERT INTO ${table} (${[...Object.keys(keys), ...Object.keys(sums)].join(', ')})
        SELECT ${[...keysOfRow, ...values].join(', ')} FROM ${rows}
        WHERE ${inRow(IS_SHOWN)} GROUP BY ${keysOfRow.map((_, place) => place + 1).join(', ')} HAVING ${anything}
        ON CONFLICT (${Object.keys(keys).join(', ')}) DO UPDATE SET ${addExcluded(sum, `${table}.`)}`;
}

function deleteEmpty(sum: Sum): string {
  const keys = Object.entries(sum.keys).map(([column, expression]) => `${inRow(expression)} AS ${column}`);
  const isSame = Object.keys(sum.keys).map((column) => `${sum.table}.${column} = gone.${column}`);
  return `DELETE FROM ${sum.table} USING (SELECT DISTINCT ${keys.join(', ')} FROM old_rows) AS gone
        WHERE ${isSame.join(' AND ')} AND ${sum.table}.${countOf(sum)} = 0`;
}

function addExcluded({ sums }: Sum, before: string): string {
  return Object.keys(sums)
    .map((column) => `${column} = ${before}${column} + excluded.${column}`)
    .join(', ');
}

function countOf({ sums }: Sum): string {
  return Object.keys(sums)[0] ?? '';
}

/** Those that the expressions read. */
function columnsOf({ keys, sums }: Sum): readonly string[] {
  return [...new Set([...Object.values(keys), ...Object.values(sums)].join(' ').match(/(?<=\$)\w+/g))];
}

/** Those of them that statements set. */
function writtenColumns(sum: Sum): readonly string[] {
  return columnsOf(sum).map((column) => (column === 'latency_step' ? 'end_us' : column));
}

function isOfRow(expression: string): boolean {
  return expression.includes('$');
}

function isChanged(expressions: readonly string[], now: string, before: string): string {
  return expressions
    .filter(isOfRow)
    .map((expression) => `${inRow(expression, now)} <> ${inRow(expression, before)}`)
    .join(' OR ');
}
