/**
 * From dotted keys to a tree: `d.0.c` and `d.1.c` become a list of objects, and a key that has a value of its own keeps
 * it, while what continues the key becomes its dotted sibling (`a`, `a.b`).
 */
import { type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { AttributeTree } from './attributes.ts';

/** Keys with more segments stay as they are; so recursion over a tree is bounded. */
export const MAX_SEGMENTS = 64;

/** Nests the values by their keys; nulls are left out, the order of the entries does not matter. */
export function unflatten(entries: Iterable<[key: string, value: JsonValue]>): AttributeTree {
  const root = new Node();
  const unsplit: [string, JsonValue][] = [];
  for (const [key, value] of entries) {
    if (value === null) continue;
    const segments = splitKey(key);
    if (segments === undefined) unsplit.push([key, value]);
    else insert(root, segments, value);
  }
  const tree = toObject(root);
  for (const [key, value] of unsplit) tree[key] = value;
  return tree;
}

class Node {
  value: JsonValue | undefined = undefined;
  /** Whether the key up to here ends in an index. */
  isIndex = false;
  /** The segments that follow, an index by its digits without leading zeros. */
  names: string[] = NONE;
  children: Node[] = NONE;
  #places: Map<string, number> | undefined = undefined;

  child(name: string): Node {
    const known = this.children[this.#places === undefined ? this.names.indexOf(name) : (this.#places.get(name) ?? -1)];
    if (known !== undefined) return known;
    const child = new Node();
    if (this.children === NONE) {
      this.names = [name];
      this.children = [child];
      return child;
    }
    this.#places?.set(name, this.names.length);
    this.names.push(name);
    this.children.push(child);
    // Most nodes have few children, for which a map costs more than it saves.
    if (this.names.length === MAX_SEARCHED) this.#places = new Map(this.names.map((known, place) => [known, place]));
    return child;
  }
}

const MAX_SEARCHED = 16;

/** Shared by all leaves, which are most nodes. */
const NONE: never[] = [];

function insert(root: Node, segments: readonly string[], value: JsonValue): void {
  let node = root;
  let mayBeIndex = false;
  const last = segments.length - 1;
  for (let at = 0; at <= last; at++) {
    const segment = segments[at] as string;
    // An index counts the items of what stands before it, so it is neither first nor last nor after another index.
    const isIndex: boolean = mayBeIndex && at < last && isDigits(segment);
    node = node.child(isIndex ? withoutLeadingZeros(segment) : segment);
    if (isIndex) node.isIndex = true;
    mayBeIndex = !isIndex;
  }
  node.value = value;
}

/** An index with a value of its own (`a.0` beside `a.0.b`) is a name like any other. */
function isListItem(node: Node): boolean {
  return node.isIndex && node.value === undefined;
}

function toObject(node: Node): JsonObject {
  const object = jsonObject();
  for (const [place, child] of node.children.entries()) emit(object, node.names[place] as string, child);
  return object;
}

function emit(target: JsonObject, key: string, node: Node): void {
  const { value, names, children } = node;
  if (children.length === 0) {
    target[key] = value as JsonValue;
    return;
  }
  const isList = value === undefined && children.some(isListItem);
  if (value === undefined && !isList) {
    target[key] = toObject(node);
    return;
  }
  target[key] = isList ? listItems(node) : (value as JsonValue);
  for (const [place, child] of children.entries()) {
    if (!isList || !isListItem(child)) emit(target, `${key}.${names[place]}`, child);
  }
}

function listItems({ names, children }: Node): JsonObject[] {
  const places = [...names.keys()].filter((place) => isListItem(children[place] as Node));
  places.sort((a, b) => compareDigits(names[a] as string, names[b] as string));
  return places.map((place) => toObject(children[place] as Node));
}

/** The key's segments, trimmed, without empty ones; `undefined` where it has none, or too many to nest. */
function splitKey(key: string): string[] | undefined {
  if (!key.includes('.') && key !== '' && key === key.trim()) return [key];
  const segments: string[] = [];
  for (let start = 0; start <= key.length; ) {
    const dot = key.indexOf('.', start);
    const end = dot === -1 ? key.length : dot;
    const segment = key.slice(start, end).trim();
    if (segment !== '') {
      if (segments.length === MAX_SEGMENTS) return undefined;
      segments.push(segment);
    }
    start = end + 1;
  }
  return segments.length === 0 ? undefined : segments;
}

/** How many segments the key nests by. */
export function countSegments(key: string): number {
  return splitKey(key)?.length ?? 1;
}

/** Whether the key nests as its segments are: none to be trimmed or left out, not too many. */
export function isPlainKey(key: string): boolean {
  return splitKey(key)?.join('.') === key;
}

/** ASCII digits only: other scripts' digits are text. */
function isDigits(segment: string): boolean {
  const first = segment.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && /^[0-9]+$/.test(segment);
}

function withoutLeadingZeros(digits: string): string {
  return digits.startsWith('0') && digits.length > 1 ? digits.replace(/^0+(?=.)/, '') : digits;
}

/** Digits without leading zeros, however many: an index is compared, never counted to. */
function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
