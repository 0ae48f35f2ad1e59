/** Asks for a collection, where so much was dropped that waiting for the next one costs more memory than it costs time. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'major' | 'minor'; readonly flavor?: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Collects what nobody holds in this thread, at some 10 ms. */
export function collectGarbage(): void {
  forgetLastMatch();
  findCollect()({ type: 'major' });
}

/** Collects what was allocated lately, at some 1 ms. */
export function collectYoungGarbage(): void {
  findCollect()({ type: 'minor' });
}

/** Collects thoroughly: also what only makes the next work faster. */
export function collectAllGarbage(): void {
  forgetLastMatch();
  findCollect()({ type: 'major', flavor: 'last-resort' });
}

/** Each thread keeps the text that a pattern matched last, however long it is (`RegExp.input`). */
function forgetLastMatch(): void {
  /[a-z]/.test('a');
}

function findCollect(): Collect {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}
