/** Whether a value is, or is made of, what another says. */
import { isJsonObject, JsonNumber, type JsonValue } from '#base/json';
import { readJsonContainer } from '../json-value.ts';
import { readPythonContainer } from '../python-repr.ts';

/** Whether something that the source says, a text or a number, is found in the output. */
export function givesValue(source: readonly JsonValue[], output: JsonValue): boolean {
  const found = [...leaves(output)];
  const whole = new Set(found);
  const text = found.join('\n');
  for (const value of source) {
    for (const leaf of leaves(value)) {
      if (whole.has(leaf)) return true;
      if (leaf.length >= MIN_PART_LENGTH && leaf.length <= MAX_PART_LENGTH && text.includes(leaf)) return true;
    }
  }
  return false;
}

/** A shorter text is found in any longer one by chance, and looking for a very long one takes its time. */
const MIN_PART_LENGTH = 3;
const MAX_PART_LENGTH = 10_000;

const MAX_LEAVES = 500;
const MAX_LEVELS = 8;

/** Texts and numbers as text, those inside JSON texts and Python's reprs too; a bounded number of them. */
function leaves(value: JsonValue): Set<string> {
  const found = new Set<string>();
  collect(value, MAX_LEVELS, found);
  return found;
}

function collect(value: JsonValue, levels: number, found: Set<string>): void {
  if (found.size >= MAX_LEAVES) return;
  if (typeof value === 'string') {
    const inner = levels === 0 ? undefined : (readJsonContainer(value) ?? readPythonContainer(value));
    if (inner === undefined) found.add(value.trim());
    else collect(inner, levels - 1, found);
  } else if (typeof value === 'number' || value instanceof JsonNumber) {
    found.add(String(Number(value instanceof JsonNumber ? value.text : value)));
  } else if (levels > 0 && Array.isArray(value)) {
    for (const item of value) collect(item, levels - 1, found);
  } else if (levels > 0 && isJsonObject(value)) {
    for (const key of Object.keys(value)) collect(value[key] as JsonValue, levels - 1, found);
  }
  found.delete('');
}
