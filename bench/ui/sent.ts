/** Sends what is large by itself: one long text, one long conversation. */
import { type TestSpan, traceRequest } from '../../test/harness/otlp-json.ts';

/** Sends a trace of two spans, one with an output of 5 MB, and returns its hexadecimal id. */
export async function sendLongOutput(url: string, project: string): Promise<string> {
  const traceId = id(32, 1);
  const line = 'A line of the answer, as models write them when nobody stops them in time.\n';
  await send(url, project, [
    span(traceId, id(16, 1), Date.now(), { name: 'short' }),
    span(traceId, id(16, 2), Date.now() + 1, {
      name: 'long',
      parentSpanId: id(16, 1),
      attributes: {
        'openinference.span.kind': 'CHAIN',
        'output.value': `${LONG_OUTPUT_START}\n${line.repeat(5_000_000 / line.length)}`,
      },
    }),
  ]);
  return traceId;
}

/** How the long output begins. */
export const LONG_OUTPUT_START = 'The beginning of five million letters.';

/** Sends a session of that many turns, each a trace. */
export async function sendLongSession(url: string, project: string, turnCount: number): Promise<void> {
  const startMs = Date.now() - turnCount * 60_000;
  const turns = Array.from({ length: turnCount }, (_, turn) =>
    span(id(32, 1000 + turn), id(16, 1000 + turn), startMs + turn * 60_000, {
      name: 'reply',
      attributes: {
        'openinference.span.kind': 'AGENT',
        'session.id': 'five-hundred-turns',
        'input.value': `Question ${turn}: what about the other parcel, and when does it come?`,
        'output.value': `Answer ${turn}: it is on its way.\n\n${'It comes with the next van. '.repeat(1 + (turn % 12))}`,
      },
    }),
  );
  await send(url, project, turns);
}

/** Sends projects of the last days, each of so many traces of ten spans; one trace in twenty fails. */
export async function sendProjects(url: string, projectCount: number, traceCount: number): Promise<void> {
  const endMs = Date.now() - 60_000;
  for (let project = 0; project < projectCount; project++) {
    const spans = Array.from({ length: traceCount * 10 }, (_, place) => {
      const trace = Math.floor(place / 10);
      const number = 1_000_000 + (project * traceCount + trace) * 10;
      const startMs = endMs - Math.floor((trace / traceCount) * 5 * 86_400_000);
      return span(id(32, number), id(16, number + (place % 10)), startMs, {
        name: place % 10 === 0 ? 'reply' : 'call',
        ...(place % 10 > 0 && { parentSpanId: id(16, number) }),
        status: trace % 20 === 0 ? 'ERROR' : 'OK',
        attributes: { 'openinference.span.kind': place % 10 === 0 ? 'AGENT' : 'LLM' },
      });
    });
    await send(url, `project ${project}`, spans);
  }
}

/** Sends a trace of one span that begins now. */
export function sendOne(url: string, project: string, name: string, number: number): Promise<void> {
  return send(url, project, [span(id(32, number), id(16, number), Date.now(), { name })]);
}

function span(traceId: string, spanId: string, startMs: number, more: Partial<TestSpan>): TestSpan {
  return { traceId, spanId, startUs: startMs * 1000, endUs: startMs * 1000 + 800_000, ...more };
}

function id(length: number, number: number): string {
  return `be${number.toString(16).padStart(length - 2, '0')}`;
}

async function send(url: string, project: string, spans: readonly TestSpan[]): Promise<void> {
  const response = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(traceRequest(spans, { 'openinference.project.name': project })),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}
