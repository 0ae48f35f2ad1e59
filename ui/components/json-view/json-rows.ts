/** A JSON value as the rows of a tree of which some branches are open. */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';

/** An object or list: what can be opened. Told apart by identity, which within one parsed value is unique. */
export type JsonContainer = JsonValue[] | JsonObject;

/** One row. */
export interface JsonRow {
  /** Undefined for the root. */
  readonly key: string | number | undefined;
  readonly value: JsonValue;
  readonly depth: number;
  readonly parent: JsonRow | undefined;
  readonly isOpen: boolean;
}

/** Whether the value has something below it to open. */
export function isContainer(value: JsonValue): value is JsonContainer {
  return Array.isArray(value) || isJsonObject(value);
}

/** The values below a container, in order. */
export function childEntries(value: JsonContainer): readonly (readonly [string | number, JsonValue])[] {
  return Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
}

/** The rows in sight: the root, and what is below open containers. */
export function listRows(root: JsonValue, open: ReadonlySet<JsonContainer>): JsonRow[] {
  const rows: JsonRow[] = [];
  const waiting: JsonRow[] = [{ key: undefined, value: root, depth: 0, parent: undefined, isOpen: isOpen(root, open) }];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    rows.push(row);
    if (!row.isOpen || !isContainer(row.value)) continue;
    const entries = childEntries(row.value);
    for (let index = entries.length - 1; index >= 0; index--) {
      const [key, value] = entries[index] as readonly [string | number, JsonValue];
      waiting.push({ key, value, depth: row.depth + 1, parent: row, isOpen: isOpen(value, open) });
    }
  }
  return rows;
}

function isOpen(value: JsonValue, open: ReadonlySet<JsonContainer>): boolean {
  return isContainer(value) && open.has(value);
}

/** The containers to open at first: level by level, as long as the rows are not more than these. */
export function openWithin(root: JsonValue, maxRows: number): Set<JsonContainer> {
  const open = new Set<JsonContainer>();
  let level = isContainer(root) ? [root] : [];
  let rows = 1;
  while (level.length > 0) {
    rows += level.reduce((sum, container) => sum + sizeOf(container), 0);
    if (rows > maxRows && open.size > 0) break;
    for (const container of level) open.add(container);
    level = level.flatMap((container) =>
      childEntries(container).flatMap(([, value]) => (isContainer(value) ? [value] : [])),
    );
  }
  return open;
}

/** Every container of the value. */
export function allContainers(root: JsonValue): Set<JsonContainer> {
  return openWithin(root, Number.POSITIVE_INFINITY);
}

/** How many values are directly below. */
export function sizeOf(container: JsonContainer): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

/** Of a text of several lines so many are in its row. */
export const MAX_ROW_LINES = 12;

/** How many lines below its first a row has: those of a text that breaks, as far as they are in the row. */
export function linesBelow({ value }: JsonRow): number {
  if (typeof value !== 'string') return 0;
  let lines = 0;
  let end = value.indexOf('\n');
  while (end !== -1 && lines <= MAX_ROW_LINES) {
    lines += 1;
    end = value.indexOf('\n', end + 1);
  }
  // A break at the end breaks nothing.
  if (lines === 0 || !value.trimEnd().includes('\n')) return 0;
  return Math.min(lines + 1, MAX_ROW_LINES);
}

/** Where the row's value is, in JavaScript's words, such as `messages[0].content`. */
export function pathOf(row: JsonRow): string {
  const steps: string[] = [];
  for (let at: JsonRow | undefined = row; at?.key !== undefined; at = at.parent) steps.push(pathStep(at.key));
  return steps.reverse().join('').replace(/^\./, '');
}

function pathStep(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
