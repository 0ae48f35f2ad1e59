import { describe, expect, it } from 'vitest';
import { countDataPoints } from './metrics.ts';
import { ProtobufWriter } from './protobuf/writer.ts';

const KINDS = { gauge: 5, sum: 7, histogram: 9, exponentialHistogram: 10, summary: 11 } as const;

/** The same metrics in both encodings: of each kind as many data points as said. */
function metrics(points: Readonly<Partial<Record<keyof typeof KINDS, number>>>) {
  const list = Object.entries(points) as [keyof typeof KINDS, number][];
  const writer = new ProtobufWriter();
  writer.message(1, () =>
    writer.message(2, () => {
      for (const [kind, count] of list) {
        writer.message(2, () => {
          writer.message(KINDS[kind], () => {
            for (let left = count; left > 0; left--) writer.bytes(1, Uint8Array.of(0x19, 1, 2, 3, 4, 5, 6, 7, 8));
          });
          writer.text(1, 'a name');
        });
      }
    }),
  );
  const json = {
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: list.map(([kind, count]) => ({
              name: 'a name',
              [kind]: { dataPoints: Array.from({ length: count }, () => ({ timeUnixNano: '7' })) },
            })),
          },
        ],
      },
    ],
  };
  return { protobuf: writer.finish(), json: Buffer.from(JSON.stringify(json)) };
}

describe('countDataPoints', () => {
  it.each([
    ['of every kind', { gauge: 1, sum: 2, histogram: 3, exponentialHistogram: 4, summary: 5 }, 15],
    ['where a metric has none', { gauge: 0, sum: 1 }, 1],
    ['where there is no metric', {}, 0],
  ] as const)('counts those %s', (_what, points, total) => {
    const { protobuf, json } = metrics(points);
    expect(countDataPoints(protobuf, 'protobuf')).toBe(total);
    expect(countDataPoints(json, 'json')).toBe(total);
  });

  it('counts nothing in a request of another signal, or in none', () => {
    expect(countDataPoints(new Uint8Array(0), 'protobuf')).toBe(0);
    expect(countDataPoints(Buffer.from('{"resourceSpans":[{"scopeSpans":[]}]}'), 'json')).toBe(0);
  });

  it.each([
    ['protobuf', Uint8Array.of(0x0a, 9, 1)],
    ['json', Buffer.from('{"resourceMetrics":{}}')],
    ['json', Buffer.from('{"resourceMetrics":[7]}')],
    ['json', Buffer.from('[')],
  ] as const)('refuses what is no request in %s', (format, body) => {
    expect(() => countDataPoints(body, format)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
