/** Sends spans of agents at a steady rate, beside whoever asks: what is asked must not delay what is sent. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { agentTraffic } from '../agent-traffic.ts';
import { encodeRequest, type TrafficSpan } from '../encode-span.ts';
import { openHttpExporter } from '../http-exporter.ts';
import { Random } from '../random.ts';
import { type LoadCall, type LoadPlan, SPANS_PER_REQUEST } from './steady-load.ts';

const { url, spansPerSecond, project } = workerData as LoadPlan;
const port = parentPort as MessagePort;
const resource = { 'service.name': 'steady', 'openinference.project.name': project };
const spans = agentTraffic(new Random(Date.now()));
const everyMs = (1000 * SPANS_PER_REQUEST) / spansPerSecond;
let waits: number[] = [];
let isStopped = false;
port.on('message', (call: LoadCall) => {
  if (call === 'stop') isStopped = true;
  else port.postMessage(waits);
  waits = [];
});

const exporter = await openHttpExporter(url);
const startedAt = performance.now();
for (let sent = 0; !isStopped; sent++) {
  const batch = Array.from({ length: SPANS_PER_REQUEST }, () => spans.next().value as TrafficSpan);
  const body = encodeRequest(resource, batch);
  const dueAt = startedAt + sent * everyMs;
  const early = dueAt - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  await exporter.send(body);
  // A request that was due while the one before waited counts its wait from when it was due.
  waits.push(performance.now() - dueAt);
}
exporter.close();
port.close();
