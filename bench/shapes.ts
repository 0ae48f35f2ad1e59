/** The four shapes of traffic, and the requests that are made of them. */
import { agentTraffic } from './agent-traffic.ts';
import { encodeRequest, type TrafficSpan } from './encode-span.ts';
import { largeTraffic, smallTraffic } from './plain-traffic.ts';
import { Random } from './random.ts';

/** A kind of traffic. */
export interface Shape {
  readonly traffic: (random: Random) => Generator<TrafficSpan>;
  readonly spansPerRequest: number;
  /** Exporters at a time; each sends one request after the other. */
  readonly exporters: number;
  /** Spans of one run, enough for some seconds. */
  readonly spanCount: number;
  readonly quickSpanCount: number;
}

/** All shapes by name. */
export const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  small: {
    traffic: smallTraffic,
    spansPerRequest: 512,
    exporters: 8,
    spanCount: 300_000,
    quickSpanCount: 30_000,
  },
  agent: { traffic: agentTraffic, spansPerRequest: 80, exporters: 8, spanCount: 100_000, quickSpanCount: 10_000 },
  'agent-single': {
    traffic: agentTraffic,
    spansPerRequest: 1,
    exporters: 32,
    spanCount: 30_000,
    quickSpanCount: 3000,
  },
  large: { traffic: largeTraffic, spansPerRequest: 4, exporters: 4, spanCount: 2000, quickSpanCount: 200 },
};

/** Names of the shapes, in the order in which they run. */
export const SHAPE_NAMES = ['small', 'agent', 'agent-single', 'large'] as const;

/** One of {@link SHAPE_NAMES}. */
export type ShapeName = (typeof SHAPE_NAMES)[number];

/** One export request. */
export interface TrafficRequest {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly spanCount: number;
}

/** The endless requests of one exporter; exporters of different seeds share no trace. */
export function* exporterRequests(shape: Shape, seed: number): Generator<TrafficRequest, never> {
  const spans = shape.traffic(new Random(seed));
  const resource = {
    'service.name': `service-${seed % 8}`,
    'telemetry.sdk.language': 'python',
    'telemetry.sdk.version': '1.36.0',
    'openinference.project.name': `bench-${seed % 2}`,
  };
  for (;;) {
    const batch = Array.from({ length: shape.spansPerRequest }, () => spans.next().value as TrafficSpan);
    yield { body: encodeRequest(resource, batch), spanCount: batch.length };
  }
}
