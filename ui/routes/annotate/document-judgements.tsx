import { createContext, useContext } from 'react';
import { AnnotateButton } from './annotate-button.tsx';
import { AnnotationChips } from './annotation-chips.tsx';
import type { Judgement } from './model/judgements.ts';

/** What is said of the documents of a span, by their zero-based position. */
export const DocumentAnnotations = createContext<ReadonlyMap<number, readonly Judgement[]>>(new Map());

/**
 * What is said of one document, and the way to say more.
 * @param position zero-based
 */
export function DocumentJudgements({ position }: { readonly position: number }) {
  const annotations = useContext(DocumentAnnotations).get(position) ?? [];
  const choice = `document:${position}` as const;
  return (
    <>
      <AnnotationChips annotations={annotations} choice={choice} />
      <AnnotateButton choice={choice} label={`Annotate document ${position + 1}`} />
    </>
  );
}
