/** What a server shows of a scenario, and how its OpenInference attributes read to a person. */
import type { RestSpan } from '../harness/telemetry.ts';

/** What a server shows of a scenario. */
export interface Reading {
  /** Earliest start first. */
  readonly spans: readonly RestSpan[];
  /** Absent where sums were not made. */
  readonly traces?: readonly ShownTrace[];
  readonly sessions: readonly ShownSession[];
}

/** The sums of a trace. */
export interface ShownTrace {
  readonly trace_id: string;
  readonly token_count_prompt: number;
  readonly token_count_completion: number;
}

/** A session, with its sums where they were made. */
export interface ShownSession {
  readonly session_id: string;
  readonly trace_ids: readonly string[];
  readonly token_count_prompt?: number;
  readonly token_count_completion?: number;
}

/** Flat attributes, as REST has them. */
export type Attributes = Readonly<Record<string, unknown>>;

/** The items of a flattened list, each with the keys that follow its index: `a.0.b`, `a.1.b` at `a` are two with `b`. */
export function listItems(attributes: Attributes, path: string): Attributes[] {
  const items = new Map<number, Record<string, unknown>>();
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(`${path}.`)) continue;
    const [index = '', ...rest] = key.slice(path.length + 1).split('.');
    if (!/^\d+$/.test(index)) continue;
    const item = items.get(Number(index)) ?? {};
    item[rest.join('.')] = value;
    items.set(Number(index), item);
  }
  return [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
}

/** The value at a path, nested again where it was flattened, texts that are JSON objects or lists read; else `undefined`. */
export function nestedAt(attributes: Attributes, path: string): unknown {
  const whole = attributes[path];
  if (whole !== undefined) return readJson(whole);
  const nested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(`${path}.`)) continue;
    const names = key.slice(path.length + 1).split('.');
    let at = nested;
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
    at[names.at(-1) ?? ''] = value;
  }
  return Object.keys(nested).length === 0 ? undefined : nested;
}

/** What a text means that is a JSON object or list, also one inside a JSON text; any other value as it is. */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'string' ? readJson(read) : read;
  } catch {
    return value;
  }
}

/** JSON in one spelling, whatever the order of keys; text that is none as it is. */
export function canonical(value: unknown): string {
  const read = readJson(value);
  return typeof read === 'string' ? read : JSON.stringify(sortKeys(read));
}

/** The attribute where it is a text or number, as text; `undefined` where it is empty. */
export function textAt(attributes: Attributes, key: string): string | undefined {
  const value = attributes[key];
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** What a span tells at any of the keys, as JSON in one spelling or as text. */
export function toldAt({ attributes }: RestSpan, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const value = nestedAt(attributes, key);
    return value === undefined ? [] : canonical(value);
  });
}

/** Whether a value is the expected one, or holds it: an object all members, a number nearly, a text that of a number. */
export function contains(value: unknown, expected: unknown): boolean {
  const read = readJson(value);
  if (typeof expected === 'number') return read !== '' && Math.abs(Number(read) - expected) < 1e-9;
  if (typeof expected !== 'object' || expected === null) return String(read) === String(expected);
  if (Array.isArray(expected)) return canonical(read) === canonical(expected);
  if (typeof read !== 'object' || read === null) return false;
  return Object.entries(expected).every(([key, item]) => contains((read as Record<string, unknown>)[key], item));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}
