import { describe, expect, it } from 'vitest';
import { openSqlite } from './connection.ts';
import { storageGuard } from './storage-guard.ts';

describe('the storage guard', () => {
  it('refuses writes while more is in use than may be, and lets them through again by itself', () => {
    const connection = openSqlite(':memory:', { readOnly: false });
    connection.exec('CREATE TABLE filler (data BLOB); INSERT INTO filler VALUES (zeroblob(1000000))');
    let now = 0;
    const assertRoom = storageGuard(connection, 500_000, () => now);
    expect(assertRoom).toThrow(expect.objectContaining({ code: 'insufficient_storage' }));
    connection.exec('DELETE FROM filler');
    now = 59_999;
    expect(assertRoom).toThrow();
    now = 60_000;
    expect(assertRoom).not.toThrow();
    connection.close();
  });
});
