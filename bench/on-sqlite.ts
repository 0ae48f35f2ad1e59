/** A server that keeps its data in a file. */
import Database from 'better-sqlite3';
import { closeSync, openSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openSqliteReadEngine } from '#store/sqlite/engine';
import { measureCeiling } from './ceiling.ts';
import { type MeasuredSpace, measureFiles } from './disk/space.ts';
import { measureDisk } from './disk-usage.ts';
import type { MeasuredServer, MeasuredServerPlan } from './measured-server.ts';
import { startBenchServer } from './server-process.ts';

/** Starts it. */
export async function startOnSqlite({ base, nodeOptions }: MeasuredServerPlan): Promise<MeasuredServer> {
  const server = await startBenchServer(base, nodeOptions);
  const { dataFile } = server;
  return {
    server,
    change: async (statement) => {
      const database = new Database(dataFile);
      try {
        database.exec(statement);
      } finally {
        database.close();
      }
    },
    countCommits: async () => readCommitCount(`${dataFile}-shm`),
    readDatabaseCpuSeconds: () => 0,
    measureDisk: async () => measureDisk(dataFile),
    measureSpace: () => measureSpace(dataFile),
    measureCeiling: async (commitCount) => measureCeiling(dataFile, base, commitCount),
    remove: async () => server.remove(),
  };
}

/** All files of the folder that the data file lies in. */
async function measureSpace(dataFile: string): Promise<MeasuredSpace> {
  const engine = openSqliteReadEngine({ path: dataFile });
  const { tables } = await engine.dialect.measureSpace(engine.db);
  await engine.close();
  if (tables === null) throw new Error('the data file is too large to look at every page');
  const files = measureFiles(dirname(dataFile));
  const logBytes = files.get(`${basename(dataFile)}-wal`) ?? 0;
  const everything = [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
  const ofTables = tables.reduce((sum, { bytes, indexBytes }) => sum + bytes + indexBytes, 0);
  return { tables, logBytes, otherBytes: everything - logBytes - ofTables };
}

/**
 * The counter in the header of the index of the write-ahead log, which each transaction raises.
 * @see https://sqlite.org/walformat.html#the_wal_index_header
 */
function readCommitCount(indexPath: string): number {
  const header = Buffer.alloc(12);
  const file = openSync(indexPath, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header.readUInt32LE(8);
}
