import type { Document } from '../conversation.ts';
import { documentAttributes, embeddingAttributes, inputOutput } from '../openinference.ts';
import type { Scope } from '../otlp.ts';
import { Random } from '../random.ts';
import type { TraceRecorder } from '../trace.ts';
import { SUPPORT } from './support-content.ts';

const OPENAI: Scope = { name: 'openinference.instrumentation.openai', version: '0.1.41' };
const EMBEDDING_MODEL = 'text-embedding-3-small';
const RERANKER_MODEL = 'rerank-v3.5';

/** Searches the help centre; `wanted` names the articles that answer the question, none when nothing is asked. */
export function findPassages(trace: TraceRecorder, question: string, wanted: readonly string[]): Document[] {
  const { random } = trace;
  if (wanted.length === 0) return [];
  return trace.span('find_passages', { kind: 'CHAIN' }, (chain) => {
    trace.span('CreateEmbeddings', { kind: 'EMBEDDING', scope: OPENAI, otelKind: 3 }, (span) => {
      trace.wait(random.skewed(110));
      span.set({
        ...inputOutput({ input: question }),
        ...embeddingAttributes(EMBEDDING_MODEL, [question], new Random(EMBEDDING_MODEL)),
      });
    });
    const right = SUPPORT.articles.filter(({ id }) => wanted.includes(id));
    const others = SUPPORT.articles.filter(({ id }) => !wanted.includes(id));
    const found = [...right, ...random.sample(others, 6 - right.length)];
    const documents = random.sample(found, 6).map((article) => {
      const isWanted = wanted.includes(article.id);
      return {
        id: article.id,
        content: `${article.title}\n\n${article.text}`,
        score: round(isWanted ? random.between(0.62, 0.83) : random.between(0.31, 0.6)),
        metadata: { title: article.title, section: article.section, updated: article.updated, locale: 'en' },
      };
    });
    documents.sort((left, right) => right.score - left.score);
    trace.span('help_centre.search', { kind: 'RETRIEVER' }, (span) => {
      trace.wait(random.skewed(31));
      span.set({ ...inputOutput({ input: question }), ...documentAttributes('retrieval.documents', documents) });
    });
    const kept = rerank(trace, question, wanted, documents);
    chain.set(inputOutput({ input: question, output: kept.map((document) => document.id) }));
    return kept;
  });
}

function rerank(
  trace: TraceRecorder,
  question: string,
  wanted: readonly string[],
  documents: readonly Document[],
): Document[] {
  const { random } = trace;
  return trace.span('rerank', { kind: 'RERANKER', otelKind: 3 }, (span) => {
    trace.wait(random.skewed(160));
    const scored = documents.map((document) => ({
      ...document,
      score: round(wanted.includes(document.id) ? random.between(0.71, 0.98) : random.between(0.01, 0.33)),
    }));
    const kept = scored.sort((left, right) => right.score - left.score).slice(0, 3);
    span.set({
      'reranker.query': question,
      'reranker.model_name': RERANKER_MODEL,
      'reranker.top_k': 3,
      ...inputOutput({ input: question }),
      ...documentAttributes('reranker.input_documents', documents),
      ...documentAttributes('reranker.output_documents', kept),
    });
    return kept;
  });
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
