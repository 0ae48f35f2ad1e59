import { describe, expect, it } from 'vitest';
import { batchSpans } from './batches.ts';
import { Random } from './random.ts';
import { Summary } from './summary.ts';
import { type RecordedTrace, TraceRecorder } from './trace.ts';

function aTrace(position: number, spanCount: number): RecordedTrace {
  const trace = new TraceRecorder({
    random: new Random('summary', position),
    startTimeMs: 0,
    resource: { attributes: { 'openinference.project.name': `project-${position % 2}` } },
    scope: { name: 'test', version: '1' },
    shared: position === 2 ? { 'gen_ai.conversation.id': 'c' } : { 'session.id': 's' },
  });
  for (let span = 0; span < spanCount; span++) trace.span('one', {}, () => undefined);
  return trace.finish();
}

describe('batchSpans', () => {
  it('fills requests up to 512 spans and never splits a trace', () => {
    const traces = [300, 212, 1, 600, 5].map((spanCount, position) => aTrace(position, spanCount));
    expect(Array.from(batchSpans(traces), (batch) => batch.length)).toEqual([512, 1, 600, 5]);
  });
});

describe('Summary', () => {
  it('counts each project, trace and session once', () => {
    const summary = new Summary();
    for (const position of [0, 1, 2]) {
      summary.add(aTrace(position, 2).spans, { sentBytes: 1_500_000, rejectedCount: position === 2 ? 1 : 0 });
    }
    expect(summary.progress()).toBe('3 traces, 6 spans, 4.5 MB');
    expect(summary.report(1.26)).toBe(
      'Sent 6 spans in 3 traces and 2 sessions, 4.5 MB of OTLP JSON, in 1.3 s.\n' +
        'Projects: project-0, project-1\n' +
        'Spans that the server rejected: 1',
    );
  });
});
