import { describe, expect, it } from 'vitest';
import { pythonFault } from './faults.ts';
import { Random } from './random.ts';
import { TraceRecorder, type TraceOptions } from './trace.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);

function aRecorder(options: Partial<TraceOptions> = {}): TraceRecorder {
  return new TraceRecorder({
    random: new Random('trace'),
    startTimeMs: START_MS,
    resource: { attributes: {} },
    scope: { name: 'test', version: '1' },
    ...options,
  });
}

function spansOf(trace: TraceRecorder, options: { hasDied?: boolean } = {}) {
  return new Map(trace.finish(options).spans.map(({ span }) => [span.name, span]));
}

function durationMs(span: { startTimeUnixNano: string; endTimeUnixNano: string } | undefined): number {
  return Number(BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0)) / 1e6;
}

describe('TraceRecorder', () => {
  it('makes spans that a body opens children of its span, inside its time', () => {
    const trace = aRecorder();
    trace.span('outer', { kind: 'CHAIN' }, () => {
      trace.span('inner', { kind: 'TOOL' }, () => trace.wait(250));
    });
    const spans = spansOf(trace);
    const [outer, inner] = [spans.get('outer'), spans.get('inner')];
    expect(inner?.parentSpanId).toBe(outer?.spanId);
    expect(outer).not.toHaveProperty('parentSpanId');
    expect(durationMs(inner)).toBeGreaterThanOrEqual(250);
    expect(durationMs(outer)).toBeGreaterThan(durationMs(inner));
    expect(BigInt(outer?.startTimeUnixNano ?? 0) / 1_000_000n).toBe(BigInt(START_MS));
  });

  it('runs parallel bodies from the same time and goes on at the latest end', () => {
    const trace = aRecorder();
    trace.span('root', {}, () => {
      trace.parallel([300, 100].map((waitMs) => () => trace.span(`wait ${waitMs}`, {}, () => trace.wait(waitMs))));
    });
    const root = spansOf(trace).get('root');
    expect(durationMs(root)).toBeGreaterThan(300);
    expect(durationMs(root)).toBeLessThan(350);
  });

  it('puts the shared attributes on every span and the kind where it is given', () => {
    const trace = aRecorder({ shared: { 'session.id': 's' } });
    trace.span('a', { kind: 'AGENT', attributes: { own: 1 } }, (span) => span.set({ late: true }));
    expect(
      spansOf(trace)
        .get('a')
        ?.attributes.map(({ key }) => key),
    ).toEqual(['openinference.span.kind', 'session.id', 'own', 'late']);
  });

  it('records a failure as status and exception event, and only as status when it is passed on', () => {
    const fault = pythonFault('ValueError', 'no', ['/app/a.py:3 f | raise ValueError("no")']);
    const trace = aRecorder();
    trace.span('root', {}, (root) => {
      trace.span('child', {}, (child) => child.fail(fault));
      root.fail(fault, { isPassedOn: true });
    });
    const spans = spansOf(trace);
    expect(spans.get('child')?.status).toEqual({ code: 2, message: 'ValueError: no' });
    expect(spans.get('child')?.events.map(({ name }) => name)).toEqual(['exception']);
    expect(spans.get('root')?.status.code).toBe(2);
    expect(spans.get('root')?.events).toEqual([]);
  });

  it('says OK by default and leaves the status unset where asked', () => {
    const code = (trace: TraceRecorder) => {
      trace.span('a', {}, () => undefined);
      return spansOf(trace).get('a')?.status.code;
    };
    expect(code(aRecorder())).toBe(1);
    expect(code(aRecorder({ successCode: 0 }))).toBe(0);
  });

  it('loses the root when the process died, and still names it', () => {
    const trace = aRecorder();
    trace.span('root', {}, () => trace.span('child', {}, () => undefined));
    const finished = trace.finish({ hasDied: true });
    expect(finished.spans.map(({ span }) => span.name)).toEqual(['child']);
    expect(finished.spans[0]?.span.parentSpanId).toBe(finished.rootSpanId);
  });
});
