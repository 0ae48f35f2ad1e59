import { useEffect, useMemo, useState } from 'react';
import type { DiffAnswer, DiffQuestion } from './diff-worker.ts';
import { diffTexts, type TextDiff } from './text-diff.ts';

/** So many letters are compared within a frame; more of them by another thread. */
const MAX_LETTERS_AT_ONCE = 20_000;
/** What takes another thread longer is not compared. */
const MAX_MS = 10_000;

/** How two texts differ; undefined while that is being found out, `failed` where it took too long. */
export function useTextDiff(left: string, right: string): TextDiff | 'failed' | undefined {
  const isShort = left.length + right.length <= MAX_LETTERS_AT_ONCE;
  const short = useMemo(() => (isShort ? diffTexts(left, right) : undefined), [isShort, left, right]);
  const [long, setLong] = useState<{ readonly of: string; readonly diff: TextDiff | 'failed' }>();
  useEffect(() => {
    if (isShort) return undefined;
    const worker = new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module' });
    const answer = (diff: TextDiff | 'failed') => {
      clearTimeout(limit);
      worker.terminate();
      setLong({ of: keyOf(left, right), diff });
    };
    const limit = setTimeout(() => answer('failed'), MAX_MS);
    worker.addEventListener('message', ({ data }: MessageEvent<DiffAnswer>) => answer(data.diff));
    worker.addEventListener('error', () => answer('failed'));
    const question: DiffQuestion = { left, right };
    worker.postMessage(question);
    return () => {
      clearTimeout(limit);
      worker.terminate();
    };
  }, [isShort, left, right]);
  if (isShort) return short;
  return long?.of === keyOf(left, right) ? long.diff : undefined;
}

function keyOf(left: string, right: string): string {
  return `${left.length} ${left}${right}`;
}
