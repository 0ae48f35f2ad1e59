/** A server that keeps its data in a file. */
import Database from 'better-sqlite3';
import { closeSync, openSync, readSync } from 'node:fs';
import { measureCeiling } from './ceiling.ts';
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
    measureCeiling: async (commitCount) => measureCeiling(dataFile, base, commitCount),
    remove: async () => server.remove(),
  };
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
