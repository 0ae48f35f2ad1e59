/** Traffic for lists: prose in conversations, a month of it whatever its number. */
import { encodeRequest, type TrafficSpan } from './encode-span.ts';
import { proseTraffic } from './plain-traffic.ts';
import { Random } from './random.ts';

/** What the lists are asked for. */
export const LISTED = {
  project: 'lists',
  /** Of every span at this place of its trace. */
  name: 'step 3',
  /** 2026-10-01, in microseconds since the Unix epoch. */
  startUs: 1_790_812_800_000_000,
  endUs: 1_790_812_800_000_000 + 30 * 86_400_000_000,
} as const;

const SPANS_PER_REQUEST = 80;
const SPANS_PER_TRACE = 8;
const TRACES_PER_SESSION = 5;

/** Export requests with at least so many spans, in the order of time. */
export function* listRequests(spanCount: number): Generator<Uint8Array> {
  const spans = listTraffic(spanCount);
  const resource = { 'service.name': 'reader', 'openinference.project.name': LISTED.project };
  for (let count = 0; count < spanCount; count += SPANS_PER_REQUEST) {
    yield encodeRequest(
      resource,
      Array.from({ length: SPANS_PER_REQUEST }, () => spans.next().value),
    );
  }
}

/** Steps of {@link proseTraffic}, whose traces start evenly over the month; one trace of twenty fails in one step. */
function* listTraffic(spanCount: number): Generator<TrafficSpan, never> {
  const random = new Random(11);
  const prose = proseTraffic(random);
  const stepUs = Math.floor((LISTED.endUs - LISTED.startUs) / Math.ceil(spanCount / SPANS_PER_TRACE));
  for (let trace = 0; ; trace++) {
    const startUs = LISTED.startUs + trace * stepUs;
    const session = `session-${Math.floor(trace / TRACES_PER_SESSION)}`;
    const failing = random.whole(1, 20) === 1 ? random.whole(1, SPANS_PER_TRACE - 1) : -1;
    // Most take a second or two, a few a minute.
    const latencyUs = Math.round(200_000 * Math.exp(4 * random.fraction() + 2 * random.fraction()));
    for (let place = 0; place < SPANS_PER_TRACE; place++) {
      const span = prose.next().value;
      const offsetUs = place === 0 ? 0 : Math.floor((latencyUs * place) / SPANS_PER_TRACE);
      const endUs = startUs + (place === 0 ? latencyUs : offsetUs + Math.floor(latencyUs / SPANS_PER_TRACE));
      yield {
        ...span,
        startUnixNano: BigInt(startUs + offsetUs) * 1000n,
        endUnixNano: BigInt(endUs) * 1000n,
        isError: place === failing,
        attributes: { ...span.attributes, 'session.id': session },
      };
    }
  }
}
