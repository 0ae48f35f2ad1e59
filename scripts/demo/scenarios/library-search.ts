import {
  ANSWER_TEMPLATE,
  LIBRARY_DOCUMENTS,
  LIBRARY_QUESTIONS,
  type LibraryQuestion,
} from '../content/library-documents.ts';
import type { Document } from '../conversation.ts';
import { pythonFault } from '../faults.ts';
import { callModel } from '../model-call.ts';
import { GEMINI_FLASH, GPT_4O_MINI, MISTRAL_MEDIUM } from '../models.ts';
import { documentAttributes, embeddingAttributes, inputOutput } from '../openinference.ts';
import type { Scope } from '../otlp.ts';
import { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { resourceAt, SEARCH_SERVICE } from '../services.ts';
import { type RecordedTrace, type TraceOptions, TraceRecorder } from '../trace.ts';

const LLAMA_INDEX: Scope = { name: 'openinference.instrumentation.llama_index', version: '4.3.8' };
const EMBEDDING_MODEL = 'text-embedding-3-small';
const RERANKER_MODEL = 'BAAI/bge-reranker-v2-m3';
const LOAD: LoadCurve = {
  base: 0.15,
  peaks: [
    { hour: 9, height: 4, widthHours: 1.6 },
    { hour: 14, height: 3.4, widthHours: 1.8 },
  ],
  weekendFactor: 0.12,
};

/** Colleagues ask questions of the documents in the library. */
export const LIBRARY_SEARCH: Scenario = {
  name: 'library-search',
  isScaled: true,
  startsIn: (hourMs) => expectedStarts(LOAD, hourMs),
  record: (random, startTimeMs) => [recordQuestion(random, startTimeMs)],
};

function recordQuestion(random: Random, startTimeMs: number): RecordedTrace {
  const asked = random.pick(LIBRARY_QUESTIONS);
  const options: TraceOptions = {
    random,
    startTimeMs,
    resource: resourceAt(SEARCH_SERVICE, random.int(0, 1), startTimeMs),
    scope: LLAMA_INDEX,
    shared: {
      'user.id': `${random.pick(['brandt', 'osei', 'laurent', 'pietila', 'moreau', 'desmet', 'ito'])}@girder.example`,
      metadata: JSON.stringify({ index: 'library-2026-11', top_k: 8, hybrid: true }),
      'tag.tags': ['search'],
    },
  };
  const trace = new TraceRecorder(options);
  trace.span('RetrieverQueryEngine.query', { kind: 'CHAIN', otelKind: 2 }, (root) => {
    root.set(inputOutput({ input: asked.question }));
    const found = retrieve(trace, asked);
    if (found === undefined) {
      root.fail(INDEX_TIMEOUT, { isPassedOn: true });
      return;
    }
    const passages = rerank(trace, asked, found);
    const variables = {
      passages: passages.map((passage, position) => `[${position + 1}] ${passage.content}`).join('\n'),
      question: asked.question,
    };
    const prompt = ANSWER_TEMPLATE.replace(/\{(\w+)\}/g, (_, name: keyof typeof variables) => variables[name]);
    const model = random.pick([GPT_4O_MINI, GEMINI_FLASH, MISTRAL_MEDIUM]);
    const fault = callModel(trace, {
      spanName: 'LLM.chat',
      scope: LLAMA_INDEX,
      runtime: 'python',
      model,
      messages: [{ role: 'user', content: prompt }],
      reply: { role: 'assistant', content: asked.answer },
      parameters: { temperature: 0.1 },
      isStreaming: random.chance(0.5),
      odds: faultOddsAt(startTimeMs),
      attributes: {
        'llm.prompt_template.template': ANSWER_TEMPLATE,
        'llm.prompt_template.variables': JSON.stringify(variables),
      },
    });
    if (fault === undefined) root.set(inputOutput({ output: asked.answer }));
    else root.fail(fault, { isPassedOn: true });
  });
  return trace.finish();
}

const INDEX_TIMEOUT = pythonFault('qdrant_client.http.exceptions.ResponseHandlingException', 'timed out', [
  '/app/search/engine.py:64 query | nodes = self.retriever.retrieve(bundle)',
  '/usr/local/lib/python3.12/site-packages/llama_index/vector_stores/qdrant/base.py:1012 query | response = self._client.query_batch_points(',
  '/usr/local/lib/python3.12/site-packages/qdrant_client/http/api_client.py:118 send_inner | raise ResponseHandlingException(e)',
]);

/** The nearest passages, or nothing when the index does not answer in time. */
function retrieve(trace: TraceRecorder, asked: LibraryQuestion): Document[] | undefined {
  const { random } = trace;
  return trace.span('HybridRetriever.retrieve', { kind: 'RETRIEVER' }, (span) => {
    span.set(inputOutput({ input: asked.question }));
    trace.span('CreateEmbeddings', { kind: 'EMBEDDING', otelKind: 3 }, (embedding) => {
      trace.wait(random.skewed(95));
      embedding.set({
        ...inputOutput({ input: asked.question }),
        ...embeddingAttributes(EMBEDDING_MODEL, [asked.question], new Random(EMBEDDING_MODEL)),
      });
    });
    if (random.chance(0.02)) {
      trace.wait(5000);
      span.fail(INDEX_TIMEOUT);
      return undefined;
    }
    trace.wait(random.skewed(42));
    const right = LIBRARY_DOCUMENTS.filter((document) => document.id === asked.document);
    const others = LIBRARY_DOCUMENTS.filter((document) => document.id !== asked.document);
    const passages = [...right, ...random.sample(others, 2)].flatMap((document) =>
      document.chunks.map((content, position) => ({
        id: `${document.id}#${position}`,
        content,
        score: round(document.id === asked.document ? random.between(0.55, 0.84) : random.between(0.22, 0.52)),
        metadata: { title: document.title, file: document.file, language: document.language, page: position * 2 + 1 },
      })),
    );
    const found = passages.sort((left, other) => other.score - left.score).slice(0, 8);
    span.set(documentAttributes('retrieval.documents', found));
    return found;
  });
}

function rerank(trace: TraceRecorder, asked: LibraryQuestion, found: readonly Document[]): Document[] {
  const { random } = trace;
  return trace.span('SentenceTransformerRerank', { kind: 'RERANKER' }, (span) => {
    trace.wait(random.skewed(210));
    const scored = found.map((passage) => ({
      ...passage,
      score: round(passage.id.startsWith(asked.document) ? random.between(0.6, 0.99) : random.between(0, 0.2)),
    }));
    const kept = scored.sort((left, other) => other.score - left.score).slice(0, 3);
    span.set({
      'reranker.query': asked.question,
      'reranker.model_name': RERANKER_MODEL,
      'reranker.top_k': 3,
      ...inputOutput({ input: asked.question }),
      ...documentAttributes('reranker.input_documents', found),
      ...documentAttributes('reranker.output_documents', kept),
    });
    return kept;
  });
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
