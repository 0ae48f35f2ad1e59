import { useMemo } from 'react';
import type { JsonValue } from '#base/json';
import { JsonBlock } from '#ui/components/code-block/json-block.tsx';
import { formatJsonPieces, isSeveralLines } from '#ui/components/json-view/format-json.ts';
import { childEntries, isContainer } from '#ui/components/json-view/json-rows.ts';
import { JsonView } from '#ui/components/json-view/json-view.tsx';

/** See {@link JsonContent}. */
export interface JsonContentProps {
  readonly value: JsonValue;
  /** Says what it is: `arguments`. */
  readonly label: string;
}

/** More than this is a tree to look around in, less is read at a glance. */
const MAX_LETTERS = 1500;
/** Texts of several lines are read, not looked through: there may be more of them. */
const MAX_LETTERS_OF_LINES = 20_000;
const MAX_VALUES = 200;

/** JSON: a little of it as text, more of it as a tree. */
export function JsonContent({ value, label }: JsonContentProps) {
  const pieces = useMemo(() => (isSmall(value) ? formatJsonPieces(value) : undefined), [value]);
  const letters = pieces?.reduce((sum, { type, text }) => sum + (type === 'json' ? text.length : 0), 0) ?? 0;
  if (pieces === undefined || letters > MAX_LETTERS) return <JsonView value={value} label={label} />;
  return (
    <div data-searched>
      <JsonBlock value={value} pieces={pieces} label={label} />
    </div>
  );
}

/** Whether it is worth writing out to know its length. */
function isSmall(value: JsonValue): boolean {
  let left = MAX_VALUES;
  let lettersLeft = MAX_LETTERS_OF_LINES;
  const waiting = [value];
  for (let at = waiting.pop(); at !== undefined && left > 0; at = waiting.pop()) {
    left -= 1;
    if (typeof at === 'string' && at.length > MAX_LETTERS) {
      // Long before it is looked through for breaks.
      if (at.length > lettersLeft || !isSeveralLines(at)) return false;
      lettersLeft -= at.length;
    }
    if (isContainer(at))
      waiting.push(
        ...childEntries(at)
          .slice(0, left + 1)
          .map(([, child]) => child),
      );
  }
  return left > 0;
}
