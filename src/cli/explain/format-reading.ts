import type { SourceFate, SourceReading, SpanReading } from '#normalize/explain/span-reading';

/** How a span is read, for people: who speaks, and what became of each thing that was sent. */
export function formatReading(reading: SpanReading): string {
  const { name, kind, spanId, traceId, dialects, sources, outputs, isComplete } = reading;
  const translated = sources.filter(({ fate }) => fate === 'translated');
  const sourceless = outputs.filter(({ from }) => from.length === 0);
  const width = Math.min(MAX_WIDTH, Math.max(...translated.map((source) => describe(source).length), 0));
  return [
    `Span ${spanId} "${oneLine(name)}" of trace ${traceId} is read as ${kind}.`,
    ...(isComplete ? [] : ['It is too large to be explained in full; some of it may be missing here.']),
    '  Dialects',
    ...dialects.map(({ title, evidence }) => `    ${title}: ${evidence === null ? 'always' : oneLine(evidence)}`),
    ...section(
      'Translated',
      translated.map((source) => `${describe(source).padEnd(width)} → ${source.to.map(oneLine).join(', ')}`),
    ),
    ...section(
      'Added, from no single source',
      sourceless.map(({ key, by }) => `${oneLine(key)} (${by.join(', ')})`),
    ),
    ...FATES.flatMap(({ fate, title }) =>
      section(title, sources.filter((source) => source.fate === fate).map(describe)),
    ),
    ...section(
      'Could not be read',
      sources.flatMap(({ label, fault }) => (fault === null ? [] : [`${oneLine(label)}: ${fault}`])),
    ),
    '',
  ].join('\n');
}

/** Longer keys stand out of their column. */
const MAX_WIDTH = 48;

/** What was not translated, by why. */
const FATES: readonly { readonly fate: SourceFate; readonly title: string }[] = [
  { fate: 'openinference', title: 'Sent as OpenInference, shown unchanged' },
  { fate: 'unused', title: 'Recognised, but another source says the same or more' },
  { fate: 'empty', title: 'JSON without content' },
  { fate: 'raw', title: 'Not recognised, shown as sent' },
];

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function describe({ label, count }: SourceReading): string {
  return oneLine(label) + (count > 1 ? ` (${count})` : '');
}

/** What was sent may hold anything, and a terminal obeys control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').slice(0, 200);
}
