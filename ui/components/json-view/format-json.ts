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

/** A stretch of JSON for reading: JSON, or a text of several lines, which stands on lines of its own. */
export type JsonPiece =
  | { readonly type: 'json'; readonly text: string }
  | { readonly type: 'lines'; readonly text: string; readonly indent: number };

/**
 * JSON as {@link formatJsonShort} writes it, but texts of several lines as their lines. It is for reading: what is copied
 * must come from {@link formatJson}.
 */
export function formatJsonPieces(value: JsonValue): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let text = '';
  const flush = () => {
    // A text's lines end theirs.
    if (text.trim() !== '') pieces.push({ type: 'json', text: text.replace(/^\n|\n$/g, '') });
    text = '';
  };
  const write = (at: JsonValue, indent: string, name: string, isLast: boolean): void => {
    const end = isLast ? '' : ',';
    if (isSeveralLines(at)) {
      if (name !== '') text += `${indent}${name}`;
      flush();
      pieces.push({ type: 'lines', text: at.trimEnd(), indent: indent.length + (name === '' ? 0 : 2) });
      return;
    }
    if (!isContainer(at) || !holdsSeveralLines(at)) {
      text += `${indent}${name}${formatWithin(at, indent, MAX_LINE - indent.length - name.length)}${end}\n`;
      return;
    }
    const [begin, close] = Array.isArray(at) ? '[]' : '{}';
    text += `${indent}${name}${begin}\n`;
    const entries = childEntries(at);
    for (const [index, [key, child]] of entries.entries()) {
      write(
        child,
        `${indent}  `,
        typeof key === 'number' ? '' : `${JSON.stringify(key)}: `,
        index === entries.length - 1,
      );
    }
    text += `${indent}${close}${end}\n`;
  };
  write(value, '', '', true);
  flush();
  return pieces;
}

/** Whether it is a text that breaks, not only at its end. */
export function isSeveralLines(value: JsonValue): value is string {
  return typeof value === 'string' && value.trimEnd().includes('\n');
}

function holdsSeveralLines(value: JsonValue): boolean {
  return isContainer(value) ? childEntries(value).some(([, child]) => holdsSeveralLines(child)) : isSeveralLines(value);
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
