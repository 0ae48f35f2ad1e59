/** A reading as compact text: what a change of a dialect changes shows as lines of a diff. */
import { readWire, toPlainJson } from './evidence.ts';
import { canonical, type Reading } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import type { RestSpan } from '../harness/telemetry.ts';

/** The sessions and spans of a scenario; of each span what was read into it, and the names of what stayed as sent. */
export function drawScenario(scenario: RecordedScenario, { spans, sessions }: Reading): string {
  const sent = new Map(
    readWire(scenario.requests).spans.map(({ span }) => [
      span.spanId,
      new Map((span.attributes ?? []).map(({ key, value }) => [key, canonical(toPlainJson(value))])),
    ]),
  );
  const ids = new Set(spans.map(({ context }) => context.span_id));
  const draw = (span: RestSpan, depth: number): string[] => [
    ...drawSpan(span, sent.get(span.context.span_id) ?? new Map<string, string>()).map(
      (line) => '  '.repeat(depth) + line,
    ),
    ...spans.filter(({ parent_id: id }) => id === span.context.span_id).flatMap((child) => draw(child, depth + 1)),
  ];
  return [
    `== ${scenario.name}`,
    ...sessions.map((session) => `session ${session.session_id}`),
    ...spans.filter(({ parent_id: id }) => id === null || !ids.has(id)).flatMap((span) => draw(span, 0)),
    '',
  ].join('\n');
}

function drawSpan(span: RestSpan, sent: ReadonlyMap<string, string>): string[] {
  const status = span.status_message === '' ? span.status_code : `${span.status_code} ${cut(span.status_message)}`;
  const isRead = ([key, value]: [string, unknown]) => sent.get(key) !== canonical(value);
  const attributes = Object.entries(span.attributes);
  const kept = attributes.filter((one) => !isRead(one)).map(([key]) => key);
  return [
    `${span.span_kind} ${span.name} ${status}`,
    ...attributes.filter(isRead).map(([key, value]) => `  ${key} = ${cut(canonical(value))}`),
    ...Object.entries(span.derived_attributes ?? {}).map(
      ([key, value]) => `  derived ${key} = ${cut(canonical(value))}`,
    ),
    ...(kept.length === 0 ? [] : [`  as sent: ${kept.join(' ')}`]),
    ...span.events.map((event) => `  event ${event.name}: ${Object.keys(event.attributes).join(' ')}`),
  ];
}

const MAX_VALUE = 300;

function cut(text: string): string {
  const line = text.replaceAll('\n', '\\n');
  return line.length <= MAX_VALUE ? line : `${line.slice(0, MAX_VALUE)}… (${line.length})`;
}
