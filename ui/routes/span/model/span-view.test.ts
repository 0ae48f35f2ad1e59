import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#base/json';
import { listRecordedSpans, type RecordedSpan } from '../../../../test/support/recorded-spans.ts';
import { type Card, readSpanView, type SpanKindName, type SpanView } from './span-view.ts';

const RECORDED = listRecordedSpans();

function viewOf({ kind, attributes }: RecordedSpan): SpanView {
  return readSpanView(kind as SpanKindName, attributes);
}

function recorded(file: string, kind: SpanKindName): SpanView {
  const span = RECORDED.find((candidate) => candidate.file === file && candidate.kind === kind);
  if (span === undefined) throw new Error(`No ${kind} in ${file}.`);
  return viewOf(span);
}

/** Titles, those folded away with a mark. */
function titles({ cards }: SpanView): string[] {
  return cards.map(({ title, isFolded }) => (isFolded === true ? `(${title})` : title));
}

function card<T extends Card['type']>({ cards }: SpanView, id: string, type: T): Extract<Card, { type: T }> {
  const found = cards.find((candidate) => candidate.id === id);
  if (found?.type !== type) throw new Error(`No card ${id} of ${type}.`);
  return found as Extract<Card, { type: T }>;
}

describe('the details of each kind', () => {
  it('of a model call are its conversation, and what it repeats folded away', () => {
    const view = recorded('openinference-openai/02-tools.binpb', 'llm');
    expect(titles(view)).toEqual([
      'Messages',
      'Available tools',
      'Invocation parameters',
      '(Raw input)',
      '(Raw output)',
    ]);
    expect(view.facts).toEqual(expect.arrayContaining([{ label: 'Provider', value: 'openai' }]));
    expect(card(view, 'tools', 'tools').tools).toMatchObject([{ name: 'get_weather', parameters: { type: 'object' } }]);
  });

  it('of a tool are what it is for, what it got and what it gave', () => {
    const view = recorded('strands/02-tools.binpb', 'tool');
    expect(titles(view)).toEqual(['Description', 'Arguments', 'Result', '(Schema)']);
    expect(card(view, 'input', 'json').value).toEqual(expect.objectContaining({ city: 'Paris' }));
    expect(card(view, 'output', 'text').text).toBe('18 degrees and sunny');
  });

  it('of a retriever are the query and what was found', () => {
    const view = recorded('openinference-haystack/06-retrieval.binpb', 'retriever');
    expect(titles(view)).toEqual(['Query', 'Documents', '(Raw output)']);
    expect(card(view, 'retrieved', 'documents').documents[0]).toMatchObject({
      position: 1,
      id: 'doc-2',
      score: 0.9971063930216766,
      metadata: { source: 'paths.md', page: 7 },
    });
  });

  it('of a reranker are the query and the documents in their new and old order', () => {
    const view = recorded('openinference-manual/01-kinds.binpb', 'reranker');
    expect(titles(view)).toEqual(['Query', 'Reranked documents', '(Documents to rerank)']);
    expect(card(view, 'reranked', 'documents').before).toHaveLength(3);
    expect(view.facts.map(({ label }) => label)).toEqual(expect.arrayContaining(['Model', 'Top k']));
  });

  it('of an embedding are the texts, and no vectors', () => {
    const view = recorded('openinference-haystack/05-index.binpb', 'embedding');
    expect(titles(view)).toEqual(['Embedded texts', '(Raw input)', '(Raw output)']);
    expect(card(view, 'embedded', 'texts').texts).toHaveLength(3);
  });

  it('of a prompt are its template and the values put into it', () => {
    const view = recorded('openinference-js-langchain/01-chat.binpb', 'prompt');
    expect(titles(view)).toEqual(['Input', 'Output', 'Prompt template', 'Template variables']);
  });

  it.each(['guardrail', 'evaluator', 'chain', 'agent'] as const)('of a %s are its input and output', (kind) => {
    expect(titles(recorded('openinference-manual/01-kinds.binpb', kind)).slice(0, 2)).toEqual(['Input', 'Output']);
  });

  it('of a completion are its prompts and choices', () => {
    const llm = { prompts: [{ prompt: { text: 'p' } }], choices: [{ completion: { text: 'c' } }] };
    expect(readSpanView('llm', { llm, input: { value: 'p' } }).cards).toMatchObject([
      { title: 'Prompts', texts: ['p'] },
      { title: 'Completions', texts: ['c'] },
      { title: 'Raw input', isFolded: true },
    ]);
  });
});

describe('every span', () => {
  it('of the recordings has a view in which no card is empty', () => {
    const empty = RECORDED.flatMap((span) =>
      viewOf(span)
        .cards.filter(isEmptyCard)
        .map(({ id }) => `${span.file} ${id}`),
    );
    expect(RECORDED.length).toBeGreaterThan(300);
    expect(empty).toEqual([]);
  });

  it('of the recordings has every card once', () => {
    const repeated = RECORDED.filter((span) => {
      const ids = viewOf(span).cards.map(({ id }) => id);
      return new Set(ids).size !== ids.length;
    });
    expect(repeated.map(({ file }) => file)).toEqual([]);
  });

  it('without attributes has no card and no fact', () => {
    expect(readSpanView('llm', {})).toEqual({ facts: [], tags: [], cards: [] });
  });

  it('with attributes of other shapes shows them, and breaks nothing', () => {
    const odd: JsonObject = {
      llm: {
        input_messages: 3,
        output_messages: { a: [] },
        tools: 'x',
        token_count: [],
        invocation_parameters: '{broken',
      },
      retrieval: { documents: [null, 'text', [1]] },
      embedding: { embeddings: [[]] },
      tool: 'name',
      input: { value: { deep: true } },
      metadata: '[]',
      tag: { tags: 'one, two' },
    };
    for (const kind of ['llm', 'tool', 'retriever', 'embedding', 'reranker', 'unknown'] as const) {
      const view = readSpanView(kind, odd);
      expect(view.tags).toEqual(['one', 'two']);
      expect(titles(view)).toEqual(expect.arrayContaining(['Messages', 'Invocation parameters']));
    }
    expect(card(readSpanView('retriever', odd), 'retrieved', 'documents').documents).toMatchObject([
      { content: undefined },
      { content: 'text' },
      { rest: [1] },
    ]);
  });
});

function isEmptyCard(shown: Card): boolean {
  switch (shown.type) {
    case 'conversation':
      return shown.messages.length === 0;
    case 'tools':
      return shown.tools.length === 0;
    case 'documents':
      return shown.documents.length === 0;
    case 'texts':
      return shown.texts.length === 0;
    case 'text':
      return shown.text === '';
    case 'json':
      // An input or output of `{}` or `[]` is what it was.
      return JSON.stringify(shown.value).length <= 2 && shown.id !== 'input' && shown.id !== 'output';
    default:
      return shown satisfies never;
  }
}
