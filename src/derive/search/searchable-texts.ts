/**
 * The texts of a span that are searched: values of attributes, of its events, its name and its status, but no numbers
 * beside those inside JSON, no names of attributes, and nothing that only says what something is.
 */
import { isJsonObject, JsonNumber, type JsonValue } from '#base/json';
import { memoizeText } from '#base/memoize-text';
import type { Span, SpanEvent } from '#domain/span';
import {
  ATTR_AGENT_NAME,
  ATTR_DECISION_MODEL_NAME,
  ATTR_DECISION_PROVIDER,
  ATTR_EMBEDDING_EMBEDDINGS,
  ATTR_EMBEDDING_MODEL_NAME,
  ATTR_GRAPH_NODE_ID,
  ATTR_INPUT_MIME_TYPE,
  ATTR_INPUT_VALUE,
  ATTR_LLM_INPUT_MESSAGES,
  ATTR_LLM_MODEL_NAME,
  ATTR_LLM_OUTPUT_MESSAGES,
  ATTR_LLM_PROMPT_TEMPLATE_VARIABLES,
  ATTR_LLM_PROVIDER,
  ATTR_LLM_REQUEST_MODEL_NAME,
  ATTR_LLM_RESPONSE_MODEL_NAME,
  ATTR_OUTPUT_MIME_TYPE,
  ATTR_OUTPUT_VALUE,
  ATTR_RERANKER_INPUT_DOCUMENTS,
  ATTR_RERANKER_MODEL_NAME,
  ATTR_RERANKER_OUTPUT_DOCUMENTS,
  ATTR_RERANKER_QUERY,
  ATTR_RETRIEVAL_DOCUMENTS,
  ATTR_SPAN_KIND,
  ATTR_TOOL_NAME,
  ATTR_TOOL_PARAMETERS,
} from '#semconv/openinference';
import { ATTR_EXCEPTION_MESSAGE, ATTR_EXCEPTION_STACKTRACE, ATTR_EXCEPTION_TYPE } from '#semconv/otel';
import { addValueTexts } from './json-texts.ts';
import { ALL_PLACES, type Doubts, type PlaceBits, placeBit, type SearchPlace } from './scope.ts';
import { TextCollector } from './text-collector.ts';

/** The data of a span that has texts. */
export interface SearchedSpan extends Pick<Span, 'name' | 'statusMessage'> {
  /** The attributes by dotted key; a value may be a part of the tree, with keys that go on from there. */
  readonly entries: Iterable<readonly [key: string, value: JsonValue]>;
  readonly events: readonly Pick<SpanEvent, 'name' | 'attributes'>[];
}

/** What is searched of a span. */
export interface SearchableTexts {
  /** Distinct texts, with the places in which each stands. */
  readonly texts: ReadonlyMap<string, PlaceBits>;
  /** Where these may lack words of the values at {@link textPlace}s. */
  readonly doubts: Doubts;
}

/** The texts of a span. Names and errors come first, should a bound cut. */
export function searchableTexts({ name, statusMessage, entries, events }: SearchedSpan): SearchableTexts {
  const collector = new TextCollector();
  const values = new PlacedValues(collector);
  values.add('names', name);
  values.add('errors', statusMessage);
  for (const { name: eventName, attributes } of events) {
    values.add('other', eventName);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) values.add(EXCEPTION_KEYS.includes(key) ? 'errors' : 'other', value);
    }
  }
  for (const [key, value] of entries) values.addAttribute(key, value, 0);
  for (const place of ORDER) for (const value of values.of(place)) addStrings(collector, place, value, 0);
  const { texts, doubts } = collector;
  return { texts, doubts };
}

/** Where the texts of an attribute are. */
export interface TextPlace {
  readonly place: SearchPlace;
  /** Whether it is a text by OpenInference's conventions, so that one that is something else is in doubt. */
  readonly isText: boolean;
}

/** The place of the texts by which an attribute is searched; `undefined` where it is not, or where only a part of it is a text. */
export function textPlace(path: string): TextPlace | undefined {
  const { place, of } = describeKey(path);
  if (place === 'below') return { place: 'other', isText: false };
  return place === 'skipped' || of === 'part of a text' ? undefined : { place, isText: of === 'text' };
}

/** Answers before questions, which repeat what was said before. */
const ORDER: readonly SearchPlace[] = ['names', 'errors', 'output', 'input', 'other'];

const EXCEPTION_KEYS: readonly string[] = [ATTR_EXCEPTION_TYPE, ATTR_EXCEPTION_MESSAGE, ATTR_EXCEPTION_STACKTRACE];

/** Attributes that are something else than `other`, with everything below them. */
const PLACE_OF: ReadonlyMap<string, SearchPlace> = new Map([
  ...names('input', [
    ATTR_INPUT_VALUE,
    ATTR_LLM_INPUT_MESSAGES,
    ATTR_LLM_PROMPT_TEMPLATE_VARIABLES,
    ATTR_TOOL_PARAMETERS,
    ATTR_EMBEDDING_EMBEDDINGS,
    ATTR_RERANKER_QUERY,
    ATTR_RERANKER_INPUT_DOCUMENTS,
    'llm.prompts',
  ]),
  ...names('output', [
    ATTR_OUTPUT_VALUE,
    ATTR_LLM_OUTPUT_MESSAGES,
    ATTR_RETRIEVAL_DOCUMENTS,
    ATTR_RERANKER_OUTPUT_DOCUMENTS,
    'llm.choices',
  ]),
  ...names('names', [
    ATTR_AGENT_NAME,
    ATTR_TOOL_NAME,
    ATTR_GRAPH_NODE_ID,
    ATTR_LLM_MODEL_NAME,
    ATTR_LLM_REQUEST_MODEL_NAME,
    ATTR_LLM_RESPONSE_MODEL_NAME,
    ATTR_LLM_PROVIDER,
    ATTR_EMBEDDING_MODEL_NAME,
    ATTR_RERANKER_MODEL_NAME,
    ATTR_DECISION_MODEL_NAME,
    ATTR_DECISION_PROVIDER,
  ]),
  ...names('errors', EXCEPTION_KEYS),
]);

function names(place: SearchPlace, keys: readonly string[]): readonly (readonly [string, SearchPlace])[] {
  return keys.map((key) => [key, place]);
}

/** What something is, not what it says. */
const SKIPPED: ReadonlySet<string> = new Set([ATTR_SPAN_KIND, ATTR_INPUT_MIME_TYPE, ATTR_OUTPUT_MIME_TYPE]);
const SKIPPED_IN_MESSAGES: ReadonlySet<string> = new Set(['role', 'type', 'mime_type', 'vector']);

/** Names of attributes whose value is one text, under whatever key. */
const TEXTS: ReadonlySet<string> = new Set(['arguments', 'content', 'name', 'query', 'text', 'value']);

interface KeyDescription {
  /** `below` while keys below it may stand elsewhere. */
  readonly place: SearchPlace | 'skipped' | 'below';
  /** Whether the value is one text, or a part of what should be one. */
  readonly of: 'text' | 'part of a text' | 'anything';
}

/** Where the attribute of a key stands. Keys repeat from span to span. */
const describeKey = memoizeText((key): KeyDescription => ({ place: placeOfKey(key), of: shapeOfKey(key) }));

function shapeOfKey(key: string): KeyDescription['of'] {
  const names = key.split('.');
  const first = names.findIndex((name) => TEXTS.has(name));
  return first === -1 ? 'anything' : first === names.length - 1 ? 'text' : 'part of a text';
}

function placeOfKey(key: string): KeyDescription['place'] {
  if (SKIPPED.has(key)) return 'skipped';
  const whole = PLACE_OF.get(key);
  if (whole !== undefined) return whole;
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const place = PLACE_OF.get(key.slice(0, dot));
    if (place !== undefined) return SKIPPED_IN_MESSAGES.has(key.slice(key.lastIndexOf('.') + 1)) ? 'skipped' : place;
  }
  return 'below';
}

/** Values that may have texts, by their place. */
class PlacedValues {
  readonly #collector: TextCollector;
  readonly #values = new Map<SearchPlace, JsonValue[]>(ORDER.map((place) => [place, []]));

  constructor(collector: TextCollector) {
    this.#collector = collector;
  }

  add(place: SearchPlace, value: JsonValue): void {
    if (value === null) this.#collector.doubt(placeBit(place));
    else if (typeof value === 'string' || typeof value === 'object') this.#values.get(place)?.push(value);
  }

  addAttribute(key: string, value: JsonValue, depth: number): void {
    const { place, of } = describeKey(key);
    if (place === 'skipped') return;
    if (place !== 'below') {
      if (isOdd(of, value)) this.#collector.doubt(placeBit(place));
      this.add(place, value);
    } else if (!isJsonObject(value)) this.add('other', value);
    else if (depth < MAX_DEPTH) {
      for (const [name, member] of Object.entries(value)) this.addAttribute(`${key}.${name}`, member, depth + 1);
    } else this.#collector.doubt(ALL_PLACES);
  }

  of(place: SearchPlace): readonly JsonValue[] {
    return this.#values.get(place) ?? [];
  }
}

/** Whether the value is not the text that its key is for. */
function isOdd(of: KeyDescription['of'], value: JsonValue): boolean {
  return of === 'part of a text' || (of === 'text' && typeof value !== 'string');
}

/** Adds every string below. */
function addStrings(collector: TextCollector, place: SearchPlace, value: JsonValue, depth: number): void {
  if (depth > MAX_DEPTH || collector.room <= 0) {
    collector.doubt(placeBit(place));
    return;
  }
  if (typeof value === 'string') addValueTexts(collector, place, value);
  else if (value === null) collector.doubt(placeBit(place));
  else if (Array.isArray(value)) {
    if (value.some(isUnsaid)) collector.doubt(placeBit(place));
    for (const item of value) addStrings(collector, place, item, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (SKIPPED_IN_MESSAGES.has(key)) continue;
      if (TEXTS.has(key) && isOdd('text', member)) collector.doubt(placeBit(place));
      addStrings(collector, place, member, depth + 1);
    }
  }
}

/** Whether the JSON of a list shows the item otherwise than the words of its texts say. */
function isUnsaid(item: JsonValue): boolean {
  if (typeof item === 'string') return NUMBERED.test(item) || !item.isWellFormed();
  return typeof item !== 'object' || item === null || item instanceof JsonNumber;
}

/** What JSON writes by its number. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these it is that are written so
const NUMBERED = /[\0-\x07\x0b\x0e-\x1f]/;

/** Levels of attributes; what lies deeper is not searched. */
const MAX_DEPTH = 64;
