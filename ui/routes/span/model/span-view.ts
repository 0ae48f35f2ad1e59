/** What a span's details show: facts in a line each, then cards in the order in which people look for them. */
import { formatUsd } from '#ui/lib/format.ts';
import type { JsonObject, JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import { type ConversationMessage, readConversation } from './conversation.ts';
import { readDocuments, type RetrievedDocument } from './documents.ts';
import {
  isEmpty,
  numberAt,
  parseContainer,
  readList,
  readObject,
  readStructure,
  readText,
  textAt,
} from './read-json.ts';
import { readToolDefinitions, readToolRun, type ToolDefinition } from './tools.ts';

/** The kinds of the GraphQL schema. */
export type SpanKindName =
  | 'llm'
  | 'chain'
  | 'tool'
  | 'retriever'
  | 'embedding'
  | 'agent'
  | 'reranker'
  | 'guardrail'
  | 'evaluator'
  | 'prompt'
  | 'decision'
  | 'unknown';

/** One line, such as the model. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A block that can be collapsed. `isFolded` ones begin so: they say again what others say better, or rarely matter. */
export type Card = { readonly id: string; readonly title: string; readonly isFolded?: boolean } & (
  | { readonly type: 'conversation'; readonly messages: readonly ConversationMessage[] }
  | { readonly type: 'tools'; readonly tools: readonly ToolDefinition[] }
  | {
      readonly type: 'documents';
      readonly documents: readonly RetrievedDocument[];
      readonly before?: readonly RetrievedDocument[];
    }
  | { readonly type: 'texts'; readonly texts: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: JsonValue }
);

/** See {@link readSpanView}. */
export interface SpanView {
  readonly facts: readonly Fact[];
  readonly tags: readonly string[];
  readonly cards: readonly Card[];
}

/** Reads the attributes of a span of this kind. Never throws: what is malformed stays visible as JSON. */
export function readSpanView(kind: SpanKindName, attributes: JsonObject): SpanView {
  return { facts: readFacts(kind, attributes), tags: readTags(attributes), cards: readCards(kind, attributes) };
}

/** What the header of a trace says, so that its spans need not. */
export interface TraceFacts {
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  readonly tags: readonly string[];
}

/** The view without what the whole trace has in common. */
export function withoutTraceFacts(view: SpanView, { sessionId, userId, tags }: TraceFacts): SpanView {
  const told = new Map([
    ['Session', sessionId],
    ['User', userId],
  ]);
  return {
    ...view,
    facts: view.facts.filter(({ label, value }) => told.get(label) !== value),
    tags: view.tags.filter((tag) => !tags.includes(tag)),
  };
}

/** The card that shows what the span gave back, as far as one does. */
export function findOutputCard(cards: readonly Card[]): Card | undefined {
  return (
    cards.find((card) => card.type === 'conversation' && card.messages.some(({ side }) => side === 'output')) ??
    cards.find(({ id, isFolded }) => id === 'output' && isFolded !== true) ??
    cards.find(({ id }) => TELLS_OUTPUT.has(id))
  );
}

function readFacts(kind: SpanKindName, attributes: JsonObject): Fact[] {
  const model = textAt(attributes, 'llm.model_name');
  const asked = textAt(attributes, 'llm.request.model_name');
  const isRun = kind === 'tool';
  const facts: readonly (readonly [string, string | undefined])[] = [
    [
      'Model',
      model ?? textAt(attributes, 'embedding.model_name') ?? textAt(attributes, 'reranker.model_name') ?? asked,
    ],
    ['Requested model', model !== undefined && asked !== model ? asked : undefined],
    ['Provider', textAt(attributes, 'llm.provider') ?? textAt(attributes, 'llm.system')],
    ['Finish reason', textAt(attributes, 'llm.finish_reason')],
    ['Agent', textAt(attributes, 'agent.name')],
    ['Tool', isRun ? textAt(attributes, 'tool.name') : undefined],
    ['Call id', isRun ? readToolRun(attributes).callId : undefined],
    ['Top k', textAt(attributes, 'reranker.top_k')],
    ['Prompt', textAt(attributes, 'prompt.id')],
    ['Prompt version', textAt(attributes, 'llm.prompt_template.version')],
    ['Graph node', textAt(attributes, 'graph.node.name') ?? textAt(attributes, 'graph.node.id')],
    ['Reported cost', readCost(attributes)],
    ['Session', textAt(attributes, 'session.id')],
    ['User', textAt(attributes, 'user.id')],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

function readCost(attributes: JsonObject): string | undefined {
  const cost = numberAt(attributes, 'llm.cost.total');
  return cost === undefined || cost === 0 ? undefined : formatUsd(cost);
}

function readTags(attributes: JsonObject): string[] {
  const tags = attributeAt(attributes, 'tag.tags');
  const listed = readList(tags) ?? readText(tags)?.split(',') ?? [];
  return listed.flatMap((tag) => readText(tag)?.trim() || []);
}

function readCards(kind: SpanKindName, attributes: JsonObject): Card[] {
  const messages = readConversation(attributes);
  const own = readOwnCards(kind, attributes);
  const told: Told = {
    input: messages.some(({ side }) => side === 'input') || own.some(({ id }) => TELLS_INPUT.has(id)),
    output: messages.some(({ side }) => side === 'output') || own.some(({ id }) => TELLS_OUTPUT.has(id)),
  };
  const input = readIO(kind, attributes, 'input', told.input);
  const output = readIO(kind, attributes, 'output', told.output);
  const tools = readToolDefinitions(attributes);
  return [
    ...(messages.length === 0 ? [] : [{ type: 'conversation' as const, id: 'messages', title: 'Messages', messages }]),
    ...(kind === 'tool' ? own : []),
    ...(told.input ? [] : input),
    ...(kind === 'tool' ? [] : own),
    ...(told.output ? [] : output),
    ...readSchema(kind, attributes),
    ...(tools.length === 0
      ? []
      : [{ type: 'tools' as const, id: 'tools', title: 'Available tools', tools, isFolded: tools.length > 3 }]),
    ...structures(attributes, COMMON),
    ...(told.input ? input : []),
    ...(told.output ? output : []),
  ];
}

interface Told {
  readonly input: boolean;
  readonly output: boolean;
}

/** What only spans of this kind have. */
function readOwnCards(kind: SpanKindName, attributes: JsonObject): Card[] {
  switch (kind) {
    case 'tool':
      return readToolCards(attributes);
    case 'embedding':
      return texts('embedded', 'Embedded texts', attributes, 'embedding.embeddings', 'embedding');
    case 'reranker': {
      const query = textAt(attributes, 'reranker.query');
      const before = readDocuments(attributes, 'reranker.input_documents');
      return [
        ...(query === undefined ? [] : [{ type: 'text' as const, id: 'reranker-query', title: 'Query', text: query }]),
        ...documents('reranked', 'Reranked documents', readDocuments(attributes, 'reranker.output_documents'), before),
        ...documents('candidates', 'Documents to rerank', before),
        ...documents('retrieved', 'Documents', readDocuments(attributes, 'retrieval.documents')),
      ];
    }
    case 'llm':
    case 'chain':
    case 'retriever':
    case 'agent':
    case 'guardrail':
    case 'evaluator':
    case 'prompt':
    case 'decision':
    case 'unknown':
      return [
        ...documents('retrieved', 'Documents', readDocuments(attributes, 'retrieval.documents')),
        ...texts('prompts', 'Prompts', attributes, 'llm.prompts', 'prompt'),
        ...texts('choices', 'Completions', attributes, 'llm.choices', 'completion'),
      ];
    default:
      return kind satisfies never;
  }
}

function readToolCards(attributes: JsonObject): Card[] {
  const run = readToolRun(attributes);
  const input = textAt(attributes, 'input.value');
  const isInput = input !== undefined && JSON.stringify(parseContainer(input)) === JSON.stringify(run.arguments);
  return [
    ...(run.description === undefined
      ? []
      : [{ type: 'text' as const, id: 'tool-description', title: 'Description', text: run.description }]),
    ...(run.arguments === undefined || isInput
      ? []
      : [structure('tool-parameters', 'Parameters', run.arguments, false)]),
  ];
}

function readSchema(kind: SpanKindName, attributes: JsonObject): Card[] {
  const schema = kind === 'tool' ? readToolRun(attributes).schema : undefined;
  return schema === undefined ? [] : [structure('tool-schema', 'Schema', schema, true)];
}

function readIO(kind: SpanKindName, attributes: JsonObject, side: 'input' | 'output', isTold: boolean): Card[] {
  const value = attributeAt(attributes, `${side}.value`);
  if (isEmpty(value)) return [];
  const structured = readStructure(value) as JsonValue;
  const title = isTold ? `Raw ${side}` : (TITLES.get(`${kind} ${side}`) ?? (side === 'input' ? 'Input' : 'Output'));
  return [structure(side, title, structured, isTold)];
}

function documents(
  id: string,
  title: string,
  found: readonly RetrievedDocument[],
  before?: readonly RetrievedDocument[],
): Card[] {
  const isFolded = id === 'candidates';
  return found.length === 0
    ? []
    : [{ type: 'documents', id, title, documents: found, isFolded, ...(before && { before }) }];
}

/** A list such as `[{embedding: {text}}]`; all of it as JSON where it is of another shape. */
function texts(id: string, title: string, attributes: JsonObject, path: string, holder: string): Card[] {
  const list = readList(attributeAt(attributes, path)) ?? [];
  const read = list.map((item) => {
    const outer = readObject(item);
    return readText((readObject(outer?.[holder]) ?? outer)?.['text']);
  });
  const known = read.filter((text) => text !== undefined);
  if (known.length > 0) return [{ type: 'texts', id, title, texts: known }];
  return list.length === 0 || id === 'embedded' ? [] : [structure(id, title, [...list], false)];
}

function structures(
  attributes: JsonObject,
  fields: readonly (readonly [path: string, title: string, isFolded: boolean])[],
): Card[] {
  return fields.flatMap(([path, title, isFolded]) => {
    const value = readStructure(attributeAt(attributes, path));
    return value === undefined || isEmpty(value) ? [] : [structure(path, title, value, isFolded)];
  });
}

function structure(id: string, title: string, value: JsonValue, isFolded: boolean): Card {
  const text = readText(value);
  return text === undefined
    ? { type: 'json', id, title, value, isFolded }
    : { type: 'text', id, title, text, isFolded };
}

/** Cards that say what the raw input says. */
const TELLS_INPUT: ReadonlySet<string> = new Set(['embedded', 'reranker-query', 'prompts']);
const TELLS_OUTPUT: ReadonlySet<string> = new Set(['embedded', 'retrieved', 'reranked', 'choices']);

const TITLES: ReadonlyMap<string, string> = new Map([
  ['retriever input', 'Query'],
  ['tool input', 'Arguments'],
  ['tool output', 'Result'],
]);

/** What any span may have beside its input and output. */
const COMMON = [
  ['llm.function_call', 'Function call', false],
  ['llm.prompt_template.template', 'Prompt template', false],
  ['llm.prompt_template.variables', 'Template variables', false],
  ['llm.invocation_parameters', 'Invocation parameters', false],
  ['embedding.invocation_parameters', 'Invocation parameters', false],
  ['metadata', 'Metadata', false],
] as const;
