/** When a text that is being written may be told what is wrong with it. */
import { useCallback, useEffect, useState } from 'react';

/** Not yet; the user has paused; or the user has left the field or wants to apply the text. */
export type Judgement = 'none' | 'paused' | 'asked';

/** After this pause we assume that typing has stopped. */
const PAUSE_MS = 900;

/** The judgement of the text as it stands, and what asks for one. A text that changes is not judged any more. */
export function useJudgement(text: string): readonly [judgement: Judgement, ask: (text: string) => void] {
  const [judged, setJudged] = useState<{ readonly text: string; readonly judgement: Judgement }>({
    text,
    judgement: 'asked',
  });
  const isJudged = judged.text === text;
  useEffect(() => {
    if (isJudged) return;
    const timer = setTimeout(() => setJudged({ text, judgement: 'paused' }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isJudged]);
  const ask = useCallback((wanted: string) => setJudged({ text: wanted, judgement: 'asked' }), []);
  return [isJudged ? judged.judgement : 'none', ask];
}
