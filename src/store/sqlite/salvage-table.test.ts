import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageError } from '../engine/storage-error.ts';
import { openSqliteReader, openSqliteWriter, type SqliteConnection } from './connection.ts';
import { damageLeaves } from './damaged-leaves.fixture.ts';
import { salvageKeyed, salvageRows } from './salvage-table.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-salvage-'));
  path = join(folder, 'data.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const GROUPS = 3000;
const ROWS_A_GROUP = 5;
const KEY = ['id', 'place'];

/** Makes a table without row ids. */
function fill(type: string): void {
  const writer = openSqliteWriter(path);
  writer.exec(`CREATE TABLE kept (id ${type} NOT NULL, place INTEGER NOT NULL, data BLOB, PRIMARY KEY (id, place)) WITHOUT ROWID;
    WITH RECURSIVE rows (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM rows WHERE number + 1 < ${GROUPS * ROWS_A_GROUP})
    INSERT INTO kept SELECT printf('%06d', number / ${ROWS_A_GROUP} + 1), number % ${ROWS_A_GROUP}, zeroblob(200) FROM rows`);
  writer.close();
}

const damage = (shares: readonly number[]) => damageLeaves(path, 'kept', shares);

/** What is salvaged, and in how many statements. */
function salvage() {
  const reader = openSqliteReader(path);
  let statementCount = 0;
  const counting: SqliteConnection = {
    ...reader,
    inTransaction: false,
    prepare: (text) => {
      statementCount++;
      return reader.prepare(text);
    },
  };
  const parts = [...salvageKeyed(counting, 'kept', KEY)];
  reader.close();
  const rows = parts.flatMap((part) => ('rows' in part ? part.rows : []));
  const lost = parts.flatMap((part) => ('lost' in part ? [part.lost] : []));
  const places = new Set(rows.map(({ id, place }) => `${id} ${place}`));
  expect(places.size, 'each row once').toBe(rows.length);
  return { rowCount: rows.length, lost, statementCount };
}

describe('a table without row ids', () => {
  it('is read page by page, each row once', () => {
    fill('INTEGER');
    const { rowCount, lost, statementCount } = salvage();
    expect([rowCount, lost]).toEqual([GROUPS * ROWS_A_GROUP, []]);
    expect(statementCount).toBeLessThan(100);
  });

  it('loses what its damaged pages hold, and nothing between them', () => {
    fill('INTEGER');
    damage([0, 0.4, 0.7, 0.999]);
    const { rowCount, lost } = salvage();
    // Four pages of some forty rows, and the groups that they cut.
    expect(rowCount).toBeGreaterThan(GROUPS * ROWS_A_GROUP - 4 * 60);
    expect(rowCount).toBeLessThan(GROUPS * ROWS_A_GROUP);
    expect(lost).toHaveLength(4);
    expect(lost.at(-1)?.to).toBeNull();
  });

  it('is read from both of its ends where its keys are texts', () => {
    fill('TEXT');
    damage([0]);
    expect(salvage().rowCount).toBeGreaterThan(GROUPS * ROWS_A_GROUP - 60);
    damage([0.5]);
    const { rowCount, lost } = salvage();
    expect(rowCount).toBeGreaterThan((GROUPS * ROWS_A_GROUP) / 2 - 60);
    expect(lost).toEqual([{ from: 0, to: null }]);
  });
});

it('is copied while the server runs where pages are damaged, and left where the disk does not give them', () => {
  fill('INTEGER');
  damage([0.5]);
  const writer = openSqliteWriter(path);
  expect(salvageRows(writer, 'kept', 'copy')).toBe(true);
  const [{ count }] = writer.prepare('SELECT count(*) AS count FROM copy').all([]) as [{ count: number }];
  expect(count).toBeGreaterThan(GROUPS);
  const failing: SqliteConnection = {
    ...writer,
    get inTransaction() {
      return writer.inTransaction;
    },
    prepare(text) {
      const prepared = writer.prepare(text);
      if (!text.includes('FROM "kept" WHERE')) return prepared;
      const fail = () => {
        throw new StorageError('damaged', 'disk I/O error', undefined, 'SQLITE_IOERR_READ');
      };
      return { ...prepared, all: fail };
    },
  };
  expect(() => salvageRows(failing, 'kept', 'copy')).toThrow('disk I/O error');
  writer.close();
});
