import { expect, it } from 'vitest';
import { openSqlite } from './connection.ts';
import { measureUsedBytes } from './used-bytes.ts';

it('pages that nothing fills are not in use', () => {
  const connection = openSqlite(':memory:', { readOnly: false });
  connection.exec('CREATE TABLE filler (data BLOB); INSERT INTO filler VALUES (zeroblob(1000000))');
  expect(measureUsedBytes(connection)).toBeGreaterThan(1_000_000);
  connection.exec('DELETE FROM filler');
  expect(measureUsedBytes(connection)).toBeLessThan(100_000);
  connection.close();
});
