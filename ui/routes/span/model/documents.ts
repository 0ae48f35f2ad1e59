/** Documents that a retriever found or a reranker ordered. */
import type { JsonObject, JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import { isEmpty, readList, readNumber, readObject, readStructure, readText, restOf } from './read-json.ts';

/** See {@link readDocuments}. */
export interface RetrievedDocument {
  /** From 1, in the order of the span. */
  readonly position: number;
  readonly id: string | undefined;
  readonly score: number | undefined;
  readonly content: string | undefined;
  readonly metadata: JsonValue | undefined;
  /** What has no other place. */
  readonly rest: JsonValue | undefined;
}

/** The documents under a path such as `retrieval.documents`. */
export function readDocuments(attributes: JsonObject, path: string): RetrievedDocument[] {
  return (readList(attributeAt(attributes, path)) ?? []).map((item, index) => readDocument(item, index + 1));
}

function readDocument(item: JsonValue, position: number): RetrievedDocument {
  const holder = readObject(item);
  const document = readObject(holder?.['document']) ?? holder;
  if (document === undefined) {
    const text = readText(item);
    const rest = text === undefined && !isEmpty(item) ? item : undefined;
    return { position, id: undefined, score: undefined, content: text, metadata: undefined, rest };
  }
  const metadata = readStructure(document['metadata']);
  return {
    position,
    id: readText(document['id']),
    score: readNumber(document['score']),
    content: readText(document['content']),
    metadata: isEmpty(metadata) ? undefined : metadata,
    rest: restOf(document, KNOWN),
  };
}

const KNOWN: ReadonlySet<string> = new Set(['id', 'score', 'content', 'metadata']);
