/** Traffic whose size on disk is measured, and the requests that it comes in. */
import { agentRun } from '../agent-traffic.ts';
import { encodeRequest, type TrafficSpan } from '../encode-span.ts';
import { proseTraffic, smallTraffic } from '../plain-traffic.ts';
import { Random } from '../random.ts';

/** A kind of traffic. */
export interface DiskShape {
  readonly description: string;
  /** Spans that are sent unless the command line says otherwise. */
  readonly spanCount: number;
  /** What may lie on disk two minutes after loading, in percent of the raw bytes. */
  readonly targetPercent: number;
  /** One request after the other. */
  readonly batches: (random: Random) => Generator<readonly TrafficSpan[], never>;
}

/** All kinds by name. */
export const DISK_SHAPES = {
  prose: {
    description: '2.5 kB of prose and code, eight spans a trace',
    spanCount: 100_000,
    targetPercent: 85,
    batches: (random) => inBatches(proseTraffic(random), 80),
  },
  agents: {
    description: 'agents of 50 turns, each turn a request',
    spanCount: 20_000,
    targetPercent: 15,
    batches: agentTurns,
  },
  small: {
    description: '1 kB, eight spans a trace',
    spanCount: 100_000,
    targetPercent: 120,
    batches: (random) => inBatches(smallTraffic(random), 512),
  },
} as const satisfies Readonly<Record<string, DiskShape>>;

/** One of the names of {@link DISK_SHAPES}. */
export type DiskShapeName = keyof typeof DISK_SHAPES;

/** The bodies of requests, until so many spans are in them. */
export function* diskRequests({ batches }: DiskShape, spanCount: number): Generator<Uint8Array<ArrayBuffer>> {
  let sent = 0;
  for (const spans of batches(new Random(1))) {
    yield encodeRequest({ 'service.name': 'reader', 'openinference.project.name': 'disk' }, spans);
    sent += spans.length;
    if (sent >= spanCount) return;
  }
}

function* inBatches(spans: Generator<TrafficSpan>, size: number): Generator<readonly TrafficSpan[], never> {
  for (;;) yield Array.from({ length: size }, () => spans.next().value as TrafficSpan);
}

const TURNS = 50;
const SPANS_A_TURN = 2;

function* agentTurns(random: Random): Generator<readonly TrafficSpan[], never> {
  for (const clock = { nowUs: 1_767_225_600_000_000 }; ; ) {
    const run = [...agentRun(random, clock, TURNS)];
    for (let place = 0; place < run.length; place += SPANS_A_TURN) yield run.slice(place, place + SPANS_A_TURN);
  }
}
