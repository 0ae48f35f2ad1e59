/** How a reranker changed the order of documents. */
import type { RetrievedDocument } from './documents.ts';

/** How many places a document has moved up; 0 where it is not known in the order before. */
export function placesMoved(document: RetrievedDocument, before: readonly RetrievedDocument[]): number {
  const known = before.find((other) =>
    document.id === undefined ? other.content === document.content : other.id === document.id,
  );
  return known === undefined ? 0 : known.position - document.position;
}

/** A score in four figures or so. */
export function formatScore(score: number): string {
  return Number.isInteger(score) ? String(score) : String(Number(score.toPrecision(4)));
}
