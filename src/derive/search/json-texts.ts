/**
 * The texts of JSON: long strings each by itself, and what is between them as lines of `key: value`. The items of a list
 * are apart, so that a conversation that grows by a message is the same texts and one more.
 */
import { ESCAPES, placeBit, type SearchPlace } from './scope.ts';
import { saysAll } from './says-all.ts';
import type { TextCollector } from './text-collector.ts';

/** A string that is a text of its own: the same wherever it stands, and under whatever key. */
const MIN_OWN_TEXT = 32;

/** Lines that are one text. */
const MAX_LINES_LENGTH = 2000;

/** JSON in strings of JSON is read so many times. */
const MAX_NESTED = 3;

/** Levels of lists and objects; what lies deeper is not searched. */
const MAX_DEPTH = 64;

/** A list of more numbers is a vector. */
const MAX_NUMBERS = 64;

/** Adds the texts of a value that was sent as text, which may be JSON. */
export function addValueTexts(collector: TextCollector, place: SearchPlace, text: string): void {
  const parsed = parseContainer(text, collector, place);
  if (parsed === undefined) collector.add(place, text);
  else addJson(collector, place, parsed, 0, 0);
}

function addJson(collector: TextCollector, place: SearchPlace, value: unknown, depth: number, nested: number): void {
  const lines = new Lines(collector, place);
  walk(lines, '', value, depth, nested);
  lines.flush();
}

function walk(lines: Lines, key: string, value: unknown, depth: number, nested: number): void {
  if (depth > MAX_DEPTH || lines.collector.room <= 0) {
    lines.collector.doubt(placeBit(lines.place));
    return;
  }
  if (typeof value === 'string') walkText(lines, key, value, depth, nested);
  else if (typeof value === 'number') lines.add(key, String(value));
  else if (Array.isArray(value)) walkList(lines, key, value, depth, nested);
  else if (typeof value === 'object' && value !== null) {
    if (key !== '') lines.add(key, '');
    for (const [name, member] of Object.entries(value)) walk(lines, name, member, depth + 1, nested);
  } else if (key !== '') lines.add(key, '');
}

function walkText(lines: Lines, key: string, text: string, depth: number, nested: number): void {
  const { collector, place } = lines;
  const parsed = nested < MAX_NESTED ? parseContainer(text, collector, place) : undefined;
  if (parsed !== undefined) walk(lines, key, parsed, depth + 1, nested + 1);
  else if (text.length < MIN_OWN_TEXT) lines.add(key, text);
  else {
    if (key !== '') lines.add(key, '');
    collector.add(place, text);
  }
}

function walkList(lines: Lines, key: string, items: readonly unknown[], depth: number, nested: number): void {
  if (key !== '') lines.add(key, '');
  if (items.length > MAX_NUMBERS && items.every((item) => typeof item === 'number')) {
    lines.collector.doubt(placeBit(lines.place));
    return;
  }
  for (const item of items) {
    if (typeof item === 'object' && item !== null) addJson(lines.collector, lines.place, item, depth + 1, nested);
    else walk(lines, '', item, depth + 1, nested);
  }
}

/** Lines that become texts. */
class Lines {
  readonly collector: TextCollector;
  readonly place: SearchPlace;
  #lines: string[] = [];
  #length = 0;

  constructor(collector: TextCollector, place: SearchPlace) {
    this.collector = collector;
    this.place = place;
  }

  add(key: string, value: string): void {
    const line = key === '' ? value : value === '' ? `${key}:` : `${key}: ${value}`;
    if (line === '') return;
    if (this.#length + line.length > MAX_LINES_LENGTH) this.flush();
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  flush(): void {
    if (this.#lines.length > 0) this.collector.add(this.place, this.#lines.join('\n'));
    this.#lines = [];
    this.#length = 0;
  }
}

/**
 * The list or object that a text is as JSON; `undefined` where it is none. A place whose JSON says more than its value does (repeated
 * keys, `1.50`) is in doubt.
 */
function parseContainer(text: string, collector: TextCollector, place: SearchPlace): unknown {
  if (text.length < 2 || text.length > collector.room || !CONTAINER.test(text)) return undefined;
  const json = WIDE_NUMBER.test(text) ? quoteWideNumbers(text) : text;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!saysAll(json, value)) collector.doubt(placeBit(place));
    if (json.includes('\\u')) collector.doubt(ESCAPES);
    return value;
  } catch {
    return undefined; // no JSON after all, or nested deeper than the stack: words are found in it all the same
  }
}

const CONTAINER = /^\s{0,64}[[{]/;

/** A number whose digits a double would not keep. */
const WIDE_NUMBER = /\d{16}/;

/** Numbers of many digits as strings, outside of strings. */
function quoteWideNumbers(text: string): string {
  // An unclosed string extends to the end of the text; the search does not restart at each of its quotes.
  return text.replace(/"(?:[^"\\]|\\.?)*(?:"|$)|-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?/gs, (match) =>
    match.startsWith('"') ? match : `"${match}"`,
  );
}
