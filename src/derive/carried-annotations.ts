/**
 * Annotations that spans carry as attributes: of themselves, of the one span that they link to, of the trace of either, or of their
 * session. Events `gen_ai.evaluation.result` are attributes of that form by then.
 * @see https://github.com/Arize-ai/openinference/blob/main/spec/annotations.md
 */
import { isJsonObject, JsonNumber, type JsonValue, tryParseJson } from '#base/json';
import {
  type AnnotationContent,
  ANNOTATOR_KINDS,
  faultOfAnnotation,
  isAppIdentifier,
  NOTE_NAME,
} from '#domain/annotation';
import { flattenAttributes } from '#domain/attributes';

/** An annotation as a span carries it. */
export interface CarriedAnnotation extends AnnotationContent {
  readonly target: 'span' | 'trace' | 'session';
  /** What senders call the target; `null` for the span that carries it, or its trace. */
  readonly of: string | null;
  readonly name: string;
  readonly identifier: string;
}

/** The parts of a span that may carry annotations. */
export interface Carrier {
  readonly sessionId: string | null;
  readonly linked: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly entries: Iterable<readonly [key: string, value: JsonValue]>;
}

/** Reads annotations off a span; `null` where it carries none. Those that are incomplete or out of bounds are left out. */
export function readCarriedAnnotations({ sessionId, linked, entries }: Carrier): readonly CarriedAnnotation[] | null {
  const items = gather(entries);
  if (items === null) return null;
  const [only, ...others] = linked;
  // A span with one link says this of what it links to.
  const link = others.length === 0 ? only : undefined;
  const targets = { span: link?.spanId ?? null, trace: link?.traceId ?? null, session: sessionId };
  const carried: CarriedAnnotation[] = [];
  for (const { target, fields } of items.values()) {
    if (target === 'session' && sessionId === null) continue;
    const said = read(fields);
    if (said !== null) carried.push({ target, of: targets[target], ...said });
  }
  return carried.length === 0 ? null : carried;
}

interface Item {
  readonly target: CarriedAnnotation['target'];
  readonly fields: Map<string, JsonValue>;
}

/** By list and place; a bounded number. */
function gather(entries: Carrier['entries']): ReadonlyMap<string, Item> | null {
  let items: Map<string, Item> | null = null;
  for (const [key, value] of entries) {
    if (!BEGINNING.test(key)) continue;
    for (const [path, field] of isWhole(value) ? flattenAttributes({ [key]: value }) : [[key, value] as const]) {
      const [, scope = 'span', list, index, word, name] = PATH.exec(path) ?? [];
      if (list === undefined || index === undefined || name === undefined || !list.startsWith(word ?? '-')) continue;
      items ??= new Map();
      const place = `${scope} ${list} ${index}`;
      const item = items.get(place) ?? { target: scope as Item['target'], fields: new Map<string, JsonValue>() };
      if (items.size === MAX_CARRIED && !items.has(place)) continue;
      items.set(place, item);
      item.fields.set(name, field);
    }
  }
  return items;
}

/** Also of the trees that these keys may be in. */
const BEGINNING = /^(?:annotations|evaluations|trace|session)(?:\.|$)/;
const PATH = /^(?:(trace|session)\.)?(annotations|evaluations)\.(\d{1,4})\.(annotation|evaluation)\.([a-z_]+)$/;

/** More than anybody reads of one span. */
const MAX_CARRIED = 100;

function isWhole(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber);
}

function read(
  fields: Item['fields'],
): (AnnotationContent & { readonly name: string; readonly identifier: string }) | null {
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const said = {
    name: text('name') ?? '',
    identifier: text('identifier') ?? '',
    annotatorKind: ANNOTATOR_KINDS.find((kind) => kind === text('annotator_kind')) ?? 'CODE',
    label: text('label'),
    score: toNumber(fields.get('score')),
    explanation: text('explanation'),
    metadata: toMetadata(text('metadata')),
  };
  if (said.label === null && said.score === null && said.explanation === null) return null;
  const isReserved = said.name === NOTE_NAME || isAppIdentifier(said.identifier);
  return isReserved || faultOfAnnotation(said) !== null ? null : said;
}

function toNumber(value: JsonValue | undefined): number | null {
  const number = value instanceof JsonNumber ? Number(value.text) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function toMetadata(text: string | null): string {
  return text !== null && isJsonObject(tryParseJson(text)) ? text : '{}';
}
