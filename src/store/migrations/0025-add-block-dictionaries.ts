import type { SqlDialect } from '../dialect/dialect.ts';

/** Lets blocks of short traces share a dictionary, and lie in pieces that fill the pages of a data file. */
export const name = '0025-add-block-dictionaries';

export function statements({ define }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE block_dictionaries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project_id INTEGER NOT NULL,
      made_at_block_id INTEGER NOT NULL,
      data BLOB NOT NULL
    )`,
    'CREATE INDEX block_dictionaries_of_project ON block_dictionaries (project_id, id)',
    'ALTER TABLE blocks ADD COLUMN dictionary_id INTEGER',
    'CREATE INDEX blocks_of_dictionary ON blocks (dictionary_id) WHERE dictionary_id IS NOT NULL',
    `CREATE TABLE block_pieces (
      block_id INTEGER NOT NULL,
      place INTEGER NOT NULL,
      data BLOB NOT NULL,
      PRIMARY KEY (block_id, place)
    ) WITHOUT ROWID`,
  ].map(define);
}
