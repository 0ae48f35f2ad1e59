/** What a span holds as texts that can be compared: each message, document or tool by itself. */
import { isJsonObject, type JsonValue } from '#base/json';
import { formatJsonPieces } from '#ui/components/json-view/format-json.ts';
import { type EqualRun, findEqualRuns, Numbering } from '#ui/lib/diff/sequence-diff.ts';
import { formatBytes, formatExact } from '#ui/lib/format.ts';
import { type MessagePart, readMessage } from '../../span/model/message.ts';
import { readStructure, readText } from '../../span/model/read-json.ts';

/** A text with what it is: `User`, `Document 3`; empty where there is only one. */
export interface ContentUnit {
  readonly label: string;
  readonly text: string;
}

/** The same unit on both sides; null where a side has none. */
export interface UnitPair {
  readonly label: string;
  readonly left: string | null;
  readonly right: string | null;
}

/** The units of a part of a span's contents. */
export function toUnits(content: JsonValue): readonly ContentUnit[] {
  if (content === null) return [];
  if (!Array.isArray(content)) return [toUnit(content, '')];
  const isOfUnits = content.every((item) => isJsonObject(item) && HOLDERS.some((name) => item[name] !== undefined));
  if (isOfUnits) return content.map((item, place) => toUnit(item, String(place + 1)));
  // Several things that say it together, such as a query and documents, or an instruction and its template.
  const isMixed =
    content.length <= MAX_MIXED && content.some((item) => Array.isArray(item) || typeof item === 'string');
  return isMixed ? content.flatMap(toUnits) : [{ label: '', text: formatJsonText(content) }];
}

const HOLDERS = ['message', 'document', 'tool', 'embedding', 'role', 'function', 'input_schema', 'toolSpec'];
const MAX_MIXED = 20;

function toUnit(item: JsonValue, number: string): ContentUnit {
  if (!isJsonObject(item)) return { label: '', text: formatJsonText(item) };
  if (item['message'] !== undefined || item['role'] !== undefined) return toMessageUnit(item);
  const { document, embedding } = item;
  if (isJsonObject(document)) {
    const { content, ...rest } = document;
    const text = [
      readText(content) ?? '',
      ...Object.entries(rest).map(([key, value]) => `${key}: ${formatJsonText(value)}`),
    ];
    return { label: `Document ${number}`, text: text.join('\n') };
  }
  if (isJsonObject(embedding))
    return { label: `Text ${number}`, text: readText(embedding['text']) ?? formatJsonText(embedding) };
  const tool = isJsonObject(item['tool']) ? (readStructure(item['tool']['json_schema']) ?? item['tool']) : item;
  const named = isJsonObject(tool) ? (tool['function'] ?? tool['toolSpec'] ?? tool) : undefined;
  return { label: (isJsonObject(named) ? readText(named['name']) : undefined) ?? number, text: formatJsonText(tool) };
}

function toMessageUnit(item: JsonValue): ContentUnit {
  const { role, roleName, name, parts } = readMessage(item);
  const speaker = role === 'other' ? roleName || 'Message' : (ROLES.get(role) ?? roleName);
  return { label: name === undefined ? speaker : `${speaker} ${name}`, text: parts.map(textOfPart).join('\n') };
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['system', 'System'],
  ['user', 'User'],
  ['assistant', 'Assistant'],
  ['tool', 'Tool'],
]);

function textOfPart(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `[reasoning] ${part.text ?? 'not shown by the provider'}`;
    case 'redacted':
      return '[redacted]';
    case 'media':
      return `[${part.medium}] ${part.transcript ?? part.name ?? describeMedia(part)}`;
    case 'tool_call': {
      const { name, arguments: given } = part.call;
      return `→ ${name ?? 'unnamed tool'}${given === undefined ? '' : `\n${formatJsonText(given)}`}`;
    }
    case 'json':
      return formatJsonText(part.value);
    default:
      return part satisfies never;
  }
}

function describeMedia({ source }: Extract<MessagePart, { type: 'media' }>): string {
  return source === undefined ? '' : formatBytes(JSON.stringify(source).length);
}

/** A text as it is; anything else as JSON, with texts of several lines on lines of their own. */
function formatJsonText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return formatJsonPieces(value)
    .map((piece) => (piece.type === 'json' ? piece.text : indent(piece.text, piece.indent)))
    .join('\n');
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by));
}

/** Differences among units that are looked for; with more of them units are compared in their order. */
const MAX_EDITS = 1000;

/** Which units belong together: equal ones first, and between them those of one name. */
export function pairUnits(left: readonly ContentUnit[], right: readonly ContentUnit[]): readonly UnitPair[] {
  const wholes = (unit: ContentUnit) => `${unit.label}\n${unit.text}`;
  return pairBy(left, right, wholes, (leftGap, rightGap) =>
    pairBy(
      leftGap,
      rightGap,
      ({ label }) => withoutNumber(label),
      (leftRest, rightRest) => [
        ...leftRest.map(({ label, text }) => ({ label, left: text, right: null })),
        ...rightRest.map(({ label, text }) => ({ label, left: null, right: text })),
      ],
    ),
  );
}

/** `Document 3` is a document wherever it stands. */
function withoutNumber(label: string): string {
  return label.replace(/ \d+$/, '');
}

function pairBy(
  left: readonly ContentUnit[],
  right: readonly ContentUnit[],
  nameOf: (unit: ContentUnit) => string,
  pairGap: (left: readonly ContentUnit[], right: readonly ContentUnit[]) => readonly UnitPair[],
): readonly UnitPair[] {
  const numbering = new Numbering();
  const numbers = (units: readonly ContentUnit[]) => units.map((unit) => numbering.of(nameOf(unit)));
  const runs: readonly EqualRun[] = findEqualRuns(numbers(left), numbers(right), MAX_EDITS) ?? [];
  const pairs: UnitPair[] = [];
  let [leftAt, rightAt] = [0, 0];
  for (const run of [...runs, { left: left.length, right: right.length, length: 0 }]) {
    pairs.push(...pairGap(left.slice(leftAt, run.left), right.slice(rightAt, run.right)));
    for (let step = 0; step < run.length; step++) {
      const [one, other] = [left[run.left + step], right[run.right + step]];
      pairs.push({ label: other?.label ?? '', left: one?.text ?? null, right: other?.text ?? null });
    }
    [leftAt, rightAt] = [run.left + run.length, run.right + run.length];
  }
  return pairs;
}

/** How many units, in words: `3 equal messages`. */
export function describeEqual(pairs: readonly UnitPair[]): string {
  const first = pairs[0]?.label ?? '';
  const noun = first.startsWith('Document')
    ? 'document'
    : [...ROLES.values()].some((role) => first.startsWith(role))
      ? 'message'
      : 'item';
  return pairs.length === 1 ? `1 equal ${noun}` : `${formatExact(pairs.length)} equal ${noun}s`;
}
