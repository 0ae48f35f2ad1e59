/**
 * The load generator, a process of its own: prepares all bodies, then sends them when it is told to, each exporter one
 * request after the other over a connection that stays open.
 */
import { type Exporter, openGrpcExporter } from './grpc-exporter.ts';
import { openHttpExporter } from './http-exporter.ts';
import { exporterRequests, SHAPES, type ShapeName, type TrafficRequest } from './shapes.ts';

/** What to send and where. */
export interface LoadOrder {
  readonly shape: ShapeName;
  readonly protocol: Protocol;
  readonly spanCount: number;
  /** Runs of different seeds share no trace. */
  readonly seed: number;
  readonly httpUrl: string;
  readonly grpcAddress: string;
}

/** How spans travel. */
export type Protocol = 'http' | 'grpc';

/** What the generator says: all bodies are made; the first tenth is sent; the rest is sent. */
export type LoadReport =
  | { readonly stage: 'prepared' | 'warm' }
  | {
      readonly stage: 'done';
      readonly seconds: number;
      readonly spanCount: number;
      /** Those of the first tenth included. */
      readonly allSpanCount: number;
      readonly bodyBytes: number;
      /** Time from the first byte of a request to its answer, in milliseconds. */
      readonly acknowledgeMs: { readonly p50: number; readonly p99: number };
      readonly cpuSeconds: number;
    };

/** The share of the requests that is sent before the clock starts: programs are slow until they are compiled. */
const WARM_SHARE = 0.1;

const order = JSON.parse(process.argv[2] as string) as LoadOrder;
const shape = SHAPES[order.shape];
const perExporter = Math.ceil(order.spanCount / shape.spansPerRequest / shape.exporters);
const plans = Array.from({ length: shape.exporters }, (_, place) => {
  const requests = exporterRequests(shape, order.seed * 1000 + place);
  return Array.from({ length: perExporter }, () => requests.next().value);
});
const exporters = await Promise.all(plans.map(() => openExporter()));
report({ stage: 'prepared' });
await told();
const warmCount = Math.ceil(perExporter * WARM_SHARE);
await sendAll(plans.map((plan) => plan.slice(0, warmCount)));
report({ stage: 'warm' });
await told();
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
const sent = plans.map((plan) => plan.slice(warmCount));
const latencies = await sendAll(sent);
const seconds = (performance.now() - startedAt) / 1000;
const cpu = process.cpuUsage(cpuBefore);
report({
  stage: 'done',
  seconds,
  spanCount: sum(sent, (request) => request.spanCount),
  allSpanCount: sum(plans, (request) => request.spanCount),
  bodyBytes: sum(sent, (request) => request.body.length),
  acknowledgeMs: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
});
for (const exporter of exporters) exporter.close();
process.disconnect();

function openExporter(): Promise<Exporter> {
  return order.protocol === 'http' ? openHttpExporter(order.httpUrl) : openGrpcExporter(order.grpcAddress);
}

/** All exporters at once; returns how long each request took, in milliseconds, shortest first. */
async function sendAll(requests: readonly (readonly TrafficRequest[])[]): Promise<readonly number[]> {
  const took: number[] = [];
  await Promise.all(
    exporters.map(async (exporter, place) => {
      for (const { body } of requests[place] ?? []) {
        const before = performance.now();
        await exporter.send(body);
        took.push(performance.now() - before);
      }
    }),
  );
  return took.sort((a, b) => a - b);
}

function report(stage: LoadReport): void {
  process.send?.(stage);
}

function told(): Promise<unknown> {
  return new Promise((resolve) => process.once('message', resolve));
}

function sum(lists: readonly (readonly TrafficRequest[])[], value: (request: TrafficRequest) => number): number {
  return lists.flat().reduce((total, request) => total + value(request), 0);
}

function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
}
