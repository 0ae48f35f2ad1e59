/**
 * From dotted keys to a tree: `d.0.c` and `d.1.c` become a list of objects, and a key that has a value of its own keeps
 * it, while what continues the key becomes its dotted sibling (`a`, `a.b`).
 */
import { type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { AttributeTree } from '#domain/attributes';

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
  /** By segment, a list index by its digits without leading zeros. */
  children: Map<string, Node> | undefined = undefined;
  /** Whether the key up to here ends in an index. */
  isIndex = false;

  child(segment: string): Node {
    this.children ??= new Map();
    let child = this.children.get(segment);
    if (child === undefined) {
      child = new Node();
      this.children.set(segment, child);
    }
    return child;
  }
}

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
  if (node.children !== undefined) for (const [name, child] of node.children) emit(object, name, child);
  return object;
}

function emit(target: JsonObject, key: string, node: Node): void {
  const { value, children } = node;
  if (children === undefined) {
    target[key] = value as JsonValue;
    return;
  }
  const items = value === undefined ? [...children].filter(([, child]) => isListItem(child)) : [];
  if (value === undefined && items.length === 0) {
    target[key] = toObject(node);
    return;
  }
  target[key] = value ?? items.toSorted(([a], [b]) => compareDigits(a, b)).map(([, item]) => toObject(item));
  for (const [name, child] of children) {
    if (value !== undefined || !isListItem(child)) emit(target, `${key}.${name}`, child);
  }
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
