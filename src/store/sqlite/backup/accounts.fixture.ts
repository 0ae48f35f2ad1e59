/**
 * Moves money between accounts of the data file named, for tests, until it is killed: their sum stays the same with each commit,
 * and so it is only in a copy that is of one moment. Says when it has begun.
 */
import { openSqliteWriter } from '../connection.ts';

const [, , path = ''] = process.argv;
const connection = openSqliteWriter(path);
const accounts = connection.prepare('SELECT count(*) AS count FROM accounts').all([]) as { count: number }[];
const count = accounts[0]?.count ?? 0;
const move = connection.prepare(
  'UPDATE accounts SET balance = balance + ?, note = randomblob(length(note)) WHERE id = ?',
);
const grow = connection.prepare('INSERT INTO journal (note) VALUES (randomblob(3000))');
const shrink = connection.prepare('DELETE FROM journal WHERE id <= (SELECT max(id) FROM journal) - ?');

for (let commit = 1; ; commit++) {
  connection.exec('BEGIN IMMEDIATE');
  for (let moved = 0; moved < 20; moved++) {
    const amount = Math.floor(Math.random() * 100);
    move.run([-amount, pick()]);
    move.run([amount, pick()]);
  }
  for (let grown = 0; grown < 20; grown++) grow.run([]);
  // Now and then the file becomes shorter, too.
  if (commit % 50 === 0) shrink.run([commit % 100]);
  connection.exec('COMMIT');
  if (commit % 50 === 0) connection.exec('PRAGMA incremental_vacuum(1000)');
  if (commit === 1) process.send?.('begun');
  await new Promise((resolve) => setTimeout(resolve, 2));
}

function pick(): number {
  return 1 + Math.floor(Math.random() * count);
}
