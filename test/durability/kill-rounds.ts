/** Kills a server again and again while clients send, and holds what it has stored against what the clients know. */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launchServerProcess, type ProcessOptions, type ServerProcess } from '../harness/server-process.ts';
import { ClientList } from './client-list.ts';
import { openGrpcExporter, openHttpExporter } from './exporter.ts';
import { compareAndSettle } from './stored-spans.ts';

/** What to do to one data file. */
export interface KillPlan {
  readonly folder: string;
  readonly kills: number;
  /** A kill comes after at most so many acknowledged spans, or shortly later; what is compared grows with them. */
  readonly maxAcknowledgedSpans: number;
  readonly random: (below: number) => number;
  readonly options: ProcessOptions;
}

/** What came of it; everything but the first two numbers should be nothing. */
export interface KillReport {
  readonly kills: number;
  readonly acknowledgedSpans: number;
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly wrong: readonly unknown[];
  /** The longest time from a start after a kill until the server was ready. */
  readonly worstRecoveryMs: number;
}

/** Half of them send over HTTP, half over gRPC, each one request after the other. */
const CLIENTS = 8;

/** A kill falls somewhere in this time after a number of acknowledgements: before, in or after the next commits. */
const MAX_DELAY_MS = 20;

/** Every so often a server is killed before it is ready, in the middle of its recovery. */
const STARTS_A_KILLED_START = 8;

/** Kills as often as the plan says, then stops the server as a user would. Data is compared after each of the ends. */
export async function runKills(plan: KillPlan): Promise<KillReport> {
  const { folder, kills, random, options } = plan;
  const clients = Array.from({ length: CLIENTS }, (_, client) => new ClientList(client, random));
  const findings: Findings = { lost: [], twice: [], wrong: [] };
  let recoveryMs = 0;
  let killed = 0;
  while (killed < kills && !isAnyFound(findings)) {
    if (random(STARTS_A_KILLED_START) === 0) {
      await killStarting(folder, options, random(Math.max(1000, recoveryMs)));
      killed++;
      continue;
    }
    const startedAt = performance.now();
    const server = await launchServerProcess(folder, options).ready;
    if (killed > 0) recoveryMs = Math.max(recoveryMs, performance.now() - startedAt);
    note(findings, folder, clients);
    await killLoaded(server, clients, plan, findings);
    killed++;
  }
  const server = await launchServerProcess(folder, options).ready;
  note(findings, folder, clients);
  const code = await server.end('SIGTERM');
  if (code !== 0) findings.wrong.push({ what: 'a stop with an exit code', code });
  note(findings, folder, clients);
  const acknowledgedSpans = clients.reduce((sum, client) => sum + client.acknowledgedSpanCount, 0);
  return { kills: killed, acknowledgedSpans, ...findings, worstRecoveryMs: Math.round(recoveryMs) };
}

interface Findings {
  readonly lost: string[];
  readonly twice: string[];
  readonly wrong: unknown[];
}

/** What comes after something that went wrong only hides it. */
function isAnyFound({ lost, twice, wrong }: Findings): boolean {
  return lost.length + twice.length + wrong.length > 0;
}

function note({ lost, twice, wrong }: Findings, folder: string, clients: readonly ClientList[]): void {
  const difference = compareAndSettle(join(folder, 'cairn.db'), clients);
  lost.push(...difference.lost);
  twice.push(...difference.twice);
  wrong.push(...difference.wrong);
}

async function killStarting(folder: string, options: ProcessOptions, afterMs: number): Promise<void> {
  const { child, ready } = launchServerProcess(folder, options);
  const exited = once(child, 'exit');
  ready.catch(() => undefined); // it is not meant to become ready
  await wait(afterMs);
  child.kill('SIGKILL');
  await exited;
}

async function killLoaded(
  server: ServerProcess,
  clients: readonly ClientList[],
  { random, maxAcknowledgedSpans }: KillPlan,
  { wrong }: Findings,
): Promise<void> {
  const { promise: isDue, resolve } = Promise.withResolvers<void>();
  const goal = 1 + random(maxAcknowledgedSpans);
  const delayMs = random(MAX_DELAY_MS * 1000) / 1000;
  let acknowledged = 0;
  const sending = clients.map(async (client, place) => {
    const exporter = place % 2 === 0 ? openHttpExporter(server) : openGrpcExporter(server);
    let ending = await exporter.send(client.next());
    while (ending === 'acknowledged') {
      acknowledged += client.acknowledge();
      if (acknowledged >= goal) resolve();
      ending = await exporter.send(client.next());
    }
    exporter.close();
    if (ending !== 'unanswered') wrong.push({ what: 'an answer', ending, log: server.output().slice(-2000) });
  });
  await Promise.race([isDue, Promise.all(sending)]);
  await wait(delayMs);
  await server.end('SIGKILL');
  await Promise.all(sending);
}
