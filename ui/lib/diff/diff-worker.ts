/** Compares long texts beside the page. */
import { diffTexts, type TextDiff } from './text-diff.ts';

/** What the worker is sent. */
export interface DiffQuestion {
  readonly left: string;
  readonly right: string;
}

/** What the worker answers. */
export interface DiffAnswer {
  readonly diff: TextDiff;
}

addEventListener('message', ({ data }: MessageEvent<DiffQuestion>) => {
  const answer: DiffAnswer = { diff: diffTexts(data.left, data.right) };
  postMessage(answer);
});
