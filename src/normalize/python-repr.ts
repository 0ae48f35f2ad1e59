/**
 * Python's `repr`, which some instrumentations send where others send JSON: literals, and what dataclasses and pydantic
 * models print of themselves (`Message(role='user', content=None)`). Bounded in depth and in time, which grows with the
 * text alone.
 * @see https://docs.python.org/3/reference/lexical_analysis.html#literals
 */
import { JsonNumber, type JsonObject, type JsonValue, jsonDouble, jsonObject } from '#base/json';
import { storableText } from './text.ts';

/** How deep brackets may be nested to be read. */
const MAX_LEVELS = 64;

/**
 * The JSON that a repr means: a tuple or set is a list, an enum's member its value, a model an object of its named
 * fields. What prints nothing readable of itself (`<function f at 0x7f>`, `datetime(2026, 1, 2)`) is the text that
 * stands there. `undefined` where the text is no repr, where it is nested too deep, and where it would take far more
 * memory than its text.
 */
export function readPythonRepr(text: string): JsonValue | undefined {
  const reader = new ReprReader(text);
  const value = reader.readValue(MAX_LEVELS);
  // What only its producer can read says no more as a value than as the text it came in.
  return value !== undefined && reader.isAtEnd() && value !== text.trim() ? value : undefined;
}

/** Like {@link readPythonRepr}, but takes only a list or an object, and tells a plain text without parsing it. */
export function readPythonContainer(text: string): JsonObject | JsonValue[] | undefined {
  if (!CONTAINER.test(text)) return undefined;
  const value = readPythonRepr(text);
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber) ? value : undefined;
}

/** A bracket, or a name with an argument that is named. */
const CONTAINER = /^\s*(?:[[{(]|[A-Za-z_][\w.]*\(\s*[A-Za-z_]\w*\s*[=:])/;

const NAME = /-?[A-Za-z_][\w.]*/y;
const NUMBER = /[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
const STRING_START = /(?:[rRbBuU]|[rR][bB]|[bB][rR])?(?='|")/y;
const FIELD_NAME = /([A-Za-z_]\w*)\s*(?:=(?!=)|:)/y;
const ENUM_MEMBER = /<[A-Za-z_][\w.]*:\s*/y;

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['None', null],
  ['True', true],
  ['False', false],
  ['nan', 'NaN'],
  ['inf', 'Infinity'],
  ['-inf', '-Infinity'],
]);

class ReprReader {
  readonly #text: string;
  #at = 0;
  /** How many more values the text may hold: crumbs fill a heap. */
  #left: number;
  #isTooMuch = false;

  constructor(text: string) {
    this.#text = text;
    this.#left = 64 + text.length / 2;
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length;
  }

  /**
   * `undefined` where no value stands here.
   * @param isField whether it is a model's, some of which print their fields without quotes
   */
  readValue(levels: number, isField = false): JsonValue | undefined {
    if (levels === 0 || --this.#left < 0) this.#isTooMuch = true;
    if (this.#isTooMuch) return undefined;
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '[':
        this.#at++;
        return this.#readItems(levels, ']', []);
      case '(':
        this.#at++;
        return this.#readItems(levels, ')', []);
      case '{':
        return this.#readBraces(levels);
      case '<':
        return this.#readAngle(levels, isField);
      case undefined:
        return undefined;
      default:
        return this.#readString() ?? this.#readNumber() ?? this.#readNamed(levels, isField);
    }
  }

  /** The items from here on, after those that were read. */
  #readItems(levels: number, close: string, items: JsonValue[]): JsonValue[] | undefined {
    while (!this.#take(close)) {
      const item = this.readValue(levels - 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#take(',') && !this.#isNext(close)) return undefined;
    }
    return items;
  }

  /** A dict, or a set. */
  #readBraces(levels: number): JsonObject | JsonValue[] | undefined {
    const object = jsonObject();
    let isSet = true;
    this.#at++;
    while (!this.#take('}')) {
      const key = this.readValue(levels - 1);
      if (key === undefined) return undefined;
      if (!this.#take(':')) {
        if (!isSet || (!this.#take(',') && !this.#isNext('}'))) return undefined;
        return this.#readItems(levels, '}', [key]);
      }
      isSet = false;
      const value = this.readValue(levels - 1);
      if (value === undefined) return undefined;
      object[typeof key === 'string' ? key : JSON.stringify(key)] = value;
      if (!this.#take(',') && !this.#isNext('}')) return undefined;
    }
    return object;
  }

  /** A member of an enum is its value (`<Role.USER: 'user'>`), any other such repr its text. */
  #readAngle(levels: number, isField: boolean): JsonValue | undefined {
    const start = this.#at;
    if (this.#match(ENUM_MEMBER) !== undefined) {
      const value = this.readValue(levels - 1);
      if (value !== undefined && this.#take('>')) return value;
      this.#at = start;
    }
    return this.#readOpaque(isField);
  }

  /** A word, a model with its fields, or a text that only its producer could read. */
  #readNamed(levels: number, isField: boolean): JsonValue | undefined {
    const start = this.#at;
    const name = this.#match(NAME);
    if (name !== undefined) {
      const word = WORDS.get(name);
      if (word !== undefined && this.#endsHere()) return word;
      if (this.#text[this.#at] === '(') {
        const model = this.#readFields(levels);
        if (model !== undefined) return model;
      }
      this.#at = start;
    }
    return this.#readOpaque(isField);
  }

  /** The named fields of a model (`a=1`, with some `a: 1`); `undefined` where one has no name. */
  #readFields(levels: number): JsonObject | undefined {
    const object = jsonObject();
    this.#at++;
    while (!this.#take(')')) {
      this.#skipSpace();
      FIELD_NAME.lastIndex = this.#at;
      const found = FIELD_NAME.exec(this.#text);
      if (found === null) return undefined;
      this.#at = FIELD_NAME.lastIndex;
      const value = this.readValue(levels - 1, true);
      if (value === undefined) return undefined;
      object[found[1] as string] = value;
      if (!this.#take(',') && !this.#isNext(')')) return undefined;
    }
    return object;
  }

  /** The text up to where this value must end: a comma or a closing bracket that is not its own. Plain words are no value. */
  #readOpaque(isField: boolean): string | undefined {
    if (this.#isTooMuch) return undefined;
    const start = this.#at;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] as string;
      if (char === "'" || char === '"') {
        this.#at = endOfString(this.#text, this.#at + 1, char);
      } else if (OPENING.has(char)) depth++;
      else if (CLOSING.has(char) && --depth < 0) break;
      else if (char === ',' && depth === 0) break;
    }
    if (this.#at > this.#text.length) this.#at = this.#text.length;
    const text = this.#text.slice(start, this.#at).trim();
    this.#left -= text.length / 16;
    return depth <= 0 && (isField ? text !== '' : /[)>]$/.test(text)) ? storableText(text) : undefined;
  }

  /** A string, or several that stand side by side and are one. */
  #readString(): string | undefined {
    let read: string | undefined;
    for (;;) {
      const prefix = this.#match(STRING_START);
      if (prefix === undefined) return read === undefined ? undefined : storableText(read);
      const quote = this.#text[this.#at] as string;
      const end = endOfString(this.#text, this.#at + 1, quote);
      if (end >= this.#text.length) return undefined;
      const body = this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      read = (read ?? '') + (/[rR]/.test(prefix) || !body.includes('\\') ? body : body.replace(ESCAPE, unescape));
      this.#skipSpace();
    }
  }

  #readNumber(): JsonValue | undefined {
    const start = this.#at;
    const digits = this.#match(NUMBER);
    if (digits === undefined) return undefined;
    if (!this.#endsHere()) {
      this.#at = start;
      return undefined;
    }
    const number = Number(digits);
    if (/^[+-]?\d+$/.test(digits)) {
      return Number.isSafeInteger(number) ? number + 0 : new JsonNumber(digits.replace(/^\+?(-?)0*(?=\d)/, '$1'));
    }
    return jsonDouble(number);
  }

  /** Whether the value that was just read is whole: `3` is, in `3rd` it is not. */
  #endsHere(): boolean {
    this.#skipSpace();
    const next = this.#text[this.#at];
    return next === undefined || next === ',' || next === ':' || CLOSING.has(next);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #take(char: string): boolean {
    const isThere = this.#isNext(char);
    if (isThere) this.#at++;
    return isThere;
  }

  #isNext(char: string): boolean {
    this.#skipSpace();
    return this.#text[this.#at] === char;
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
  }
}

/** ASCII's space, and from tab to carriage return. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

const OPENING: ReadonlySet<string> = new Set(['(', '[', '{', '<']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}', '>']);

/** The closing quote of the string that continues here; the end of the text if there is none. */
function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === quote) return at;
  }
  return text.length;
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
]);

/** An escape that Python does not know stays as it is. */
function unescape(whole: string, hex: string, short: string, long: string, octal: string, char: string): string {
  if (char !== undefined) return ESCAPES.get(char) ?? whole;
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  const code = Number.parseInt(hex ?? short ?? long, 16);
  return code > 0x10ffff ? whole : String.fromCodePoint(code);
}
