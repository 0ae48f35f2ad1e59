/** PostgreSQL servers of tests: on a socket in a folder of their own, so that no port is taken from anybody. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_TLS, type PostgresAddress } from '#store/engine/postgres-address';
import { hasSharedMemory, SHARED_MEMORY } from '../shared-memory.ts';
import { copyRunningCluster, makeDataFolder, SUPERUSER } from './data-folder.ts';
import type { FoundPostgres } from './find-postgres.ts';
import { findUnprivileged } from './unprivileged.ts';

/** A server that a test may stop and start again. */
export interface PostgresCluster {
  /** Its maintenance database, as its superuser. */
  readonly address: PostgresAddress;
  /** Its process, whose children do the work. */
  pid(): number;
  /** What it has written of itself. */
  log(): string;
  /** SIGINT ends all connections in order, SIGQUIT and SIGKILL as if the machine had failed. */
  stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** After {@link PostgresCluster.stop}, with the same data. */
  start(): Promise<void>;
  /** Ends it and removes all that it had, but for the data of a folder that was named. */
  end(): Promise<void>;
}

/** How a cluster is started. */
export interface ClusterOptions {
  /** Whether what it acknowledged outlives a failure, at the price that users pay for it. */
  readonly isDurable?: boolean;
  /** Other settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Files that are put beside the data, readable to the server alone; settings name them as `<folder>/<name>`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where it listens beside its socket. */
  readonly tcp?: { readonly hosts: string; readonly port: number };
  /** Lines of pg_hba.conf, beside trust for everybody on the socket. */
  readonly access?: readonly string[];
  /** Whether standbys may follow it. */
  readonly isFollowed?: boolean;
  /** Makes it a standby that streams from this cluster, which may be followed. */
  readonly follows?: PostgresAddress;
  /** Where its data stays when it ends; what a former cluster left there it has. */
  readonly dataFolder?: string;
}

/** Starts a cluster of its own; it ends with this process, however that ends. */
export async function startCluster(
  binaries: FoundPostgres & { readonly kind: 'binaries' },
  {
    isDurable = false,
    settings = {},
    files = {},
    tcp,
    access = [],
    isFollowed = false,
    follows,
    dataFolder,
  }: ClusterOptions = {},
): Promise<PostgresCluster> {
  const identity = findUnprivileged();
  // Short, and not in TMPDIR: the path of a socket has 107 bytes at most.
  const folder = mkdtempSync(`${isDurable ? DISK : chooseFolder()}/cairn-pg-`);
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  const data = dataFolder ?? join(folder, 'data');
  if (follows !== undefined) await copyRunningCluster(binaries, follows, data, identity);
  else if (!existsSync(data)) await makeDataFolder(binaries, data, identity);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    if (identity !== undefined) chownSync(join(folder, name), identity.uid, identity.gid);
  }
  writeFileSync(join(data, 'pg_hba.conf'), `${['local all,replication all trust', ...access].join('\n')}\n`);
  const all = {
    ...COMMON,
    ...(isDurable ? {} : FORGETFUL),
    ...(isFollowed || follows !== undefined ? REPLICATED : {}),
    ...(tcp === undefined ? {} : { listen_addresses: tcp.hosts, port: `${tcp.port}` }),
    unix_socket_directories: folder,
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, value.replaceAll('<folder>', folder)]),
    ),
  };
  const given = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = () => readFileSync(join(folder, 'log'), 'utf8');
  let server: ChildProcess | undefined;
  let watcher: ChildProcess | undefined;

  async function start(): Promise<void> {
    const output = openSync(join(folder, 'log'), 'a', 0o644);
    server = spawn(join(binaries.folder, 'postgres'), ['-D', data, ...given], {
      ...identity,
      cwd: folder,
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    server.unref();
    watcher = watch(server.pid, data, folder);
    await untilReady(server, join(data, 'postmaster.pid'), log);
  }

  /** Processes of a server that was killed notice it a moment later, and until then no other one starts. */
  async function restart(): Promise<void> {
    for (const until = Date.now() + 30_000; ; ) {
      try {
        await start();
        return;
      } catch (error) {
        watcher?.kill('SIGKILL');
        if (Date.now() > until || !/still in use\n.*\n*$/.test(log())) throw error;
      }
    }
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    watcher?.kill('SIGKILL');
    if (server === undefined || hasEnded(server)) return;
    server.ref();
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  await start();
  return {
    address: {
      host: folder,
      port: tcp?.port ?? PORT,
      database: 'postgres',
      user: SUPERUSER,
      login: { kind: 'password', password: null },
      tls: NO_TLS,
      schema: null,
    },
    pid: () => server?.pid as number,
    log,
    stop,
    start: restart,
    async end() {
      if (watcher === undefined || hasEnded(watcher)) watcher = watch(server?.pid, data, folder);
      watcher.ref();
      const gone = once(watcher, 'exit');
      watcher.stdin?.end();
      await gone;
    },
  };
}

const DISK = '/tmp';
const NEEDED_BYTES = 2 * 2 ** 30;

/** In memory, where there is room, the files of a database are made and removed in a tenth of the time. */
function chooseFolder(): string {
  return hasSharedMemory(NEEDED_BYTES) ? SHARED_MEMORY : DISK;
}

/** Part of the socket's name alone, where it does not listen elsewhere. */
const PORT = 5432;

const COMMON = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '64MB',
  dynamic_shared_memory_type: 'mmap',
  autovacuum_naptime: '10s',
  log_checkpoints: 'off',
  lc_messages: 'C',
};

const FORGETFUL = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

const REPLICATED = { wal_level: 'replica', max_wal_senders: '4' };

/** A process that waits for the end of this one, which closes its input, and then ends the server and removes its folder. */
function watch(server: number | undefined, data: string, folder: string): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', `${server ?? 0}`, data, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  return watcher;
}

const WATCH = `cat >/dev/null
kill -QUIT "$1"
tries=0
while kill -0 "$1" && [ -e "$2/postmaster.pid" ] && [ $tries -lt 200 ]; do sleep 0.02; tries=$((tries + 1)); done
rm -rf "$3"`;

/**
 * It is polled because PostgreSQL tells nobody but systemd that it is ready, and writes it in this file.
 * @throws Error with its log when it ends before, or takes too long
 */
async function untilReady(server: ChildProcess, pidFile: string, log: () => string): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    if (hasEnded(server)) break;
    if (isReady(pidFile, server.pid)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`PostgreSQL did not start:\n${log()}`);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Its first line is the process, its last says how far it has come; that of a server that was killed stays behind. */
function isReady(pidFile: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(pidFile, 'utf8').trim().split('\n');
    return Number(lines[0]) === pid && lines.at(-1)?.trim() === 'ready';
  } catch {
    return false;
  }
}
