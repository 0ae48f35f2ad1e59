import { useMemo } from 'react';
import type { JsonValue } from '#base/json';
import { CodeBlock } from '#ui/components/code-block/code-block.tsx';
import { formatJsonShort } from '#ui/components/json-view/format-json.ts';
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

/** JSON: a little of it as text, more of it as a tree. */
export function JsonContent({ value, label }: JsonContentProps) {
  const text = useMemo(() => (isSmall(value) ? formatJsonShort(value) : undefined), [value]);
  if (text === undefined || text.length > MAX_LETTERS) return <JsonView value={value} label={label} />;
  return (
    <div data-searched>
      <CodeBlock text={text} label={label} isJson wraps />
    </div>
  );
}

/** Whether it is worth writing out to know its length. */
function isSmall(value: JsonValue): boolean {
  let left = 200;
  const waiting = [value];
  for (let at = waiting.pop(); at !== undefined && left > 0; at = waiting.pop()) {
    left -= typeof at === 'string' && at.length > MAX_LETTERS ? left : 1;
    if (isContainer(at))
      waiting.push(
        ...childEntries(at)
          .slice(0, left + 1)
          .map(([, child]) => child),
      );
  }
  return left > 0;
}
