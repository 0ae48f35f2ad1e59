/** What a reading shows of documents that were found, and of embeddings. */
import type { RestSpan } from '../harness/telemetry.ts';
import { shownCount, shownModels } from './call-facts.ts';
import type { Evidence, ScenarioEvidence } from './evidence.ts';
import { type Judgement, judge, mergeFacts } from './question.ts';
import { canonical, contains, listItems, nestedAt, type Reading, readJson, toldAt } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import type { EmbeddingCall, Retrieval } from './truth.ts';

/** What was looked for and found. */
export function judgeRetrievals(
  { truth, carried }: RecordedScenario,
  evidence: ScenarioEvidence,
  { spans }: Reading,
): Judgement[] {
  const shown = spans.map(({ attributes }) => listItems(attributes, 'retrieval.documents'));
  const judgeList = (
    fact: string,
    read: (document: ShownDocument) => unknown,
    expected: readonly unknown[],
  ): Judgement[] => {
    if (carried[fact] !== true || expected.length === 0) return [];
    const lists = shown.map((documents) => documents.map(readDocument).map(read));
    const isSame = (list: readonly unknown[]) =>
      expected.every((value, at) => contains(list[at], value)) && list.length === expected.length;
    return [
      judge(
        fact,
        lists.some(isSame),
        expected,
        lists.find((list) => list.length > 0),
      ),
    ];
  };
  return mergeFacts(
    truth.retrievals.flatMap(({ query, documents }: Retrieval) => [
      ...judgeList(
        'documents',
        ({ content }) => content,
        documents.map(({ content }) => content),
      ),
      ...judgeList(
        'document_ids',
        ({ id }) => id,
        documents.flatMap(({ id }) => id ?? []),
      ),
      ...judgeList(
        'document_scores',
        ({ score }) => score,
        documents.flatMap(({ score }) => score ?? []),
      ),
      ...judgeList(
        'document_metadata',
        ({ metadata }) => metadata,
        documents.flatMap(({ metadata }) => metadata ?? []),
      ),
      ...judgeQuery(query, evidence, spans),
    ]),
  );
}

/** A retriever says what was looked for, where it knows. */
function judgeQuery(query: string, evidence: ScenarioEvidence, spans: readonly RestSpan[]): Judgement[] {
  const inputs = spans
    .filter((span) => span.span_kind === 'RETRIEVER' && evidence.of(span.context.span_id).carries(query))
    .flatMap((span) => toldAt(span, ['input.value']).join(' '));
  if (inputs.length === 0) return [];
  const isTold = inputs.every((text) => text.includes(query));
  return [judge('retrieval_query', isTold, query, inputs.join(' | '))];
}

interface ShownDocument {
  readonly id: unknown;
  readonly content: unknown;
  readonly score: unknown;
  readonly metadata: unknown;
}

function readDocument(item: Readonly<Record<string, unknown>>): ShownDocument {
  return {
    id: item['document.id'],
    content: item['document.content'],
    score: item['document.score'],
    metadata: nestedAt(item, 'document.metadata'),
  };
}

/** Models, texts, vectors and tokens of calls for embeddings. */
export function judgeEmbeddings(
  { truth, carried }: RecordedScenario,
  whole: Evidence,
  { spans }: Reading,
): Judgement[] {
  const candidates = spans.filter(({ span_kind: kind }) => kind === 'EMBEDDING');
  const items = candidates.map(({ attributes }) => listItems(attributes, 'embedding.embeddings'));
  return mergeFacts(
    truth.embedding_calls.flatMap((call) =>
      [
        judge(
          'embedding_model',
          candidates.some((span) => shownModels(span).asked.includes(call.model)),
          call.model,
          candidates.flatMap((span) => shownModels(span).asked),
        ),
        judge(
          'embedding_input',
          items.some((list) =>
            isSameList(
              call.input,
              list.map((item) => item['embedding.text']),
            ),
          ),
          call.input,
          items.map((list) => list.map((item) => item['embedding.text'])),
        ),
        judge(
          'embedding_vectors',
          items.some((list) =>
            isSameVectors(
              call.vectors,
              list.map((item) => readJson(item['embedding.vector'])),
            ),
          ),
          call.vectors,
          items.map((list) => list.map((item) => item['embedding.vector'])),
        ),
        judge(
          'embedding_usage',
          candidates.some((span) => shownCount(span, 'input_total') === call.usage.input_total),
          call.usage.input_total,
          candidates.map((span) => shownCount(span, 'input_total')),
        ),
      ].filter(({ fact }) => isAsked(carried[fact], fact, call, whole)),
    ),
  );
}

function isAsked(isCarried: boolean | 'part' | undefined, fact: string, call: EmbeddingCall, whole: Evidence): boolean {
  if (isCarried !== 'part') return isCarried === true;
  return fact === 'embedding_input' && call.input.every((text) => whole.carries(text));
}

function isSameList(expected: readonly unknown[], shown: readonly unknown[]): boolean {
  return canonical(expected) === canonical(shown);
}

/** As numbers of 32 bits, which is what providers send and some SDKs keep. */
function isSameVectors(expected: EmbeddingCall['vectors'], shown: readonly unknown[]): boolean {
  if (shown.length !== expected.length) return false;
  return expected.every((vector, at) => {
    const one = shown[at];
    return (
      Array.isArray(one) &&
      one.length === vector.length &&
      vector.every((value, place) => Math.fround(value) === Math.fround(Number(one[place])))
    );
  });
}
