/** A reader: its own read-only connection, where lists, decompression and decoding happen. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { yieldToOthers } from '#base/thread-priority';
import { SLICES } from '#resources/slices';
import { presentOtlpSpan, presentSpan } from '#resources/spans/present';
import { FRAME_MAKER } from '#resources/spans/present/frames/frame-maker';
import type { ReplicaEngine } from '#store/engine/engine';
import type { EngineConfig } from '#store/engine/engine-config';
import { openReadEngine, openReplicaEngine } from '#store/open/open-engine';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { type ReadCalls, type ReaderCalls, readerCalls } from '#store/reader-calls';
import { setCatalogue } from '#store/sets/define-set';
import { FairTurns } from '#store/threads/fair-turns';
import { type CallHandlers, serveCalls } from '#store/threads/rpc';

/** What a reader is started with. */
export interface ReaderThreadData {
  readonly engine: EngineConfig;
  /** Where it reads in place of the primary. */
  readonly replica: PostgresAddress | null;
  /** Whether everybody else goes first. */
  readonly isBackground: boolean;
}

const { engine: config, replica: replicaAddress, isBackground } = workerData as ReaderThreadData;
if (isBackground) yieldToOthers();
const replica = replicaAddress === null ? undefined : await openReplicaEngine(config, replicaAddress);
const engine = replica ?? (await openReadEngine(config));
const sets = setCatalogue((await Promise.all(SLICES.map((slice) => slice.sets()))).flat());
const reads = readerCalls(engine, { span: presentSpan, otlp: presentOtlpSpan }, FRAME_MAKER, sets);

const calls: ReaderCalls = {
  ...(replica === undefined ? reads : asOfNow(replica)),
  measureLag: async () => replica?.measureLag() ?? 0,
  close: () => engine.close(),
};
serveCalls(parentPort as MessagePort, { ...calls }, { turns: new FairTurns(), dropCaches: engine.dropCaches });

/** Each sees all that was acknowledged before it was called. */
function asOfNow(of: ReplicaEngine): ReadCalls {
  const entries = Object.entries(reads as CallHandlers).map(([name, read]) => [
    name,
    (...parameters: never[]) => of.asOfNow(async () => read(...parameters)),
  ]);
  return Object.fromEntries(entries) as ReadCalls;
}
