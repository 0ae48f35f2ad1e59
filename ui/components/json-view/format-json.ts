import { type JsonValue, stringifyJson } from '#base/json';
import { childEntries, isContainer } from './json-rows.ts';

/** JSON over several lines, with every digit of its numbers. */
export function formatJson(value: JsonValue): string {
  return stringifyJson(value, 2);
}

/**
 * JSON for reading at a glance: what fits in a line stands in one.
 * @param value small, and no deeper than people write by hand
 */
export function formatJsonShort(value: JsonValue): string {
  return formatWithin(value, '', MAX_LINE);
}

const MAX_LINE = 72;

function formatWithin(value: JsonValue, indent: string, room: number): string {
  if (!isContainer(value)) return stringifyJson(value);
  const line = formatLine(value);
  if (line.length <= room) return line;
  const inner = `${indent}  `;
  const [begin, end] = Array.isArray(value) ? '[]' : '{}';
  const lines = childEntries(value).map(([key, child]) => {
    const name = typeof key === 'number' ? '' : `${JSON.stringify(key)}: `;
    return `${inner}${name}${formatWithin(child, inner, MAX_LINE - inner.length - name.length)}`;
  });
  return `${begin}\n${lines.join(',\n')}\n${indent}${end}`;
}

function formatLine(value: JsonValue): string {
  if (!isContainer(value)) return stringifyJson(value);
  const entries = childEntries(value).map(([key, child]) =>
    typeof key === 'number' ? formatLine(child) : `${JSON.stringify(key)}: ${formatLine(child)}`,
  );
  if (entries.length === 0) return Array.isArray(value) ? '[]' : '{}';
  return Array.isArray(value) ? `[${entries.join(', ')}]` : `{ ${entries.join(', ')} }`;
}
