/**
 * OpenInference itself: counts that came as text, JSON that came in texts, and names of its newer parts.
 * @see https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
 */
import { isJsonObject } from '#base/json';
import { memoizeText } from '#base/memoize-text';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer, readJsonItems, readJsonText } from '../json-value.ts';
import { toInteger } from '../number.ts';
import { unflatten } from '#domain/unflatten';
import type { DialectDocs } from './dialect.ts';

export const name = 'openinference';

/** Every span is read in OpenInference, whatever else it speaks. */
export function speaks(): boolean {
  return true;
}

export function translate({ attributes }: { readonly attributes: FlatAttributes }): void {
  for (const key of TOKEN_KEYS) {
    const count = toInteger(attributes.get(key));
    if (count !== undefined) attributes.rewrite(key, count);
  }
  for (const key of LIST_KEYS) readListText(attributes, key);
  readTags(attributes);
  const textTypes: string[] = [];
  for (const [key, value] of attributes.entries()) {
    if (typeof value !== 'string') continue;
    const meaning = meaningOf(key);
    if (meaning === 'JSON') {
      const read = readJsonText(value);
      if (read !== undefined) attributes.rewrite(key, read);
    } else if (meaning === 'type of content' && TEXT_TYPES.has(value)) textTypes.push(key);
  }
  attributes.isDeriving = true;
  for (const key of textTypes) attributes.rewrite(key, 'text');
  if (attributes.hasRoot('decision')) fillDecision(attributes);
}

/** What OpenAI's Responses API calls a part that is text; the JavaScript instrumentation passes it on. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['input_text', 'output_text']);

/** JavaScript sends the list as JSON text, Python as a list. */
function readTags(attributes: FlatAttributes): void {
  const text = attributes.getText(openinference.ATTR_TAG_TAGS);
  const tags = text === undefined ? undefined : readJsonContainer(text);
  if (Array.isArray(tags)) attributes.rewrite(openinference.ATTR_TAG_TAGS, tags);
}

/** A decision is a call, too: its model and its tokens are read where those of calls are. */
function fillDecision(attributes: FlatAttributes): void {
  for (const [from, to] of DECISION_KEYS) attributes.fill(to, attributes.get(from));
}

const DECISION_KEYS: readonly (readonly [from: string, to: string])[] = [
  [openinference.ATTR_DECISION_MODEL_NAME, openinference.ATTR_LLM_MODEL_NAME],
  [openinference.ATTR_DECISION_REQUEST_MODEL_NAME, openinference.ATTR_LLM_REQUEST_MODEL_NAME],
  [openinference.ATTR_DECISION_RESPONSE_MODEL_NAME, openinference.ATTR_LLM_RESPONSE_MODEL_NAME],
  [openinference.ATTR_DECISION_PROVIDER, openinference.ATTR_LLM_PROVIDER],
  [openinference.ATTR_DECISION_SYSTEM, openinference.ATTR_LLM_SYSTEM],
  [openinference.ATTR_DECISION_TOKEN_COUNT_INPUT, openinference.ATTR_LLM_TOKEN_COUNT_PROMPT],
  [openinference.ATTR_DECISION_TOKEN_COUNT_OUTPUT, openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION],
];

const TOKEN_KEYS: readonly string[] = [
  openinference.ATTR_LLM_TOKEN_COUNT_PROMPT,
  openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION,
  openinference.ATTR_LLM_TOKEN_COUNT_TOTAL,
];

/** Lists of objects, which some producers send as JSON text, some flattened, and some both ways at once. */
const LIST_KEYS: readonly string[] = [
  openinference.ATTR_LLM_INPUT_MESSAGES,
  openinference.ATTR_LLM_OUTPUT_MESSAGES,
  openinference.ATTR_LLM_TOOLS,
  openinference.ATTR_RETRIEVAL_DOCUMENTS,
  openinference.ATTR_EMBEDDING_EMBEDDINGS,
  openinference.ATTR_RERANKER_INPUT_DOCUMENTS,
  openinference.ATTR_RERANKER_OUTPUT_DOCUMENTS,
];

function readListText(attributes: FlatAttributes, key: string): void {
  const text = attributes.getText(key);
  if (text === undefined) return;
  if (attributes.hasPrefix(`${key}.`)) {
    attributes.setAside(key);
    return;
  }
  const list = readJsonItems(text);
  if (Array.isArray(list) && list.length > 0 && list.every(isJsonObject)) {
    attributes.rewrite(
      key,
      list.map((item) => unflatten(Object.entries(item))),
    );
  }
}

/**
 * What a key says of its text. The text is JSON where the key is one of the names or ends in one as whole segments:
 * `retrieval.documents.0.document.metadata` does, `mymetadata` does not.
 */
const meaningOf = memoizeText((key) => {
  if (JSON_KEYS.some((jsonKey) => key === jsonKey || (key.endsWith(jsonKey) && key.at(-jsonKey.length - 1) === '.')))
    return 'JSON';
  return key.endsWith(openinference.ATTR_MESSAGE_CONTENT_TYPE) ? 'type of content' : 'other';
});

const JSON_KEYS: readonly string[] = [
  openinference.ATTR_METADATA,
  openinference.ATTR_LLM_PROMPT_TEMPLATE_VARIABLES,
  openinference.ATTR_TOOL_PARAMETERS,
];

export const docs: DialectDocs = {
  title: 'OpenInference',
  checkedVersion: 'openinference-semantic-conventions 0.1.42 (Python), 2.12.0 (JavaScript)',
  mappings: [
    { from: 'every attribute', to: 'the same', note: 'All other dialects are translated into these names.' },
    { from: 'llm.token_count.*', to: 'the same', note: 'Counts sent as text become numbers.' },
    {
      from: 'metadata, document.metadata, llm.prompt_template.variables, tool.parameters',
      to: 'the same',
      note: 'JSON texts are parsed.',
    },
    {
      from: 'llm.input_messages, llm.output_messages, llm.tools, retrieval.documents, embedding.embeddings, reranker.*_documents',
      to: 'the same',
      note: 'Lists in JSON texts are parsed; flattened items, if present, take precedence.',
    },
    { from: 'tag.tags', to: 'the same', note: 'A list in a JSON text, as JavaScript sends it, is parsed.' },
    {
      from: 'llm.*_messages.N.message.contents.N.message_content.type = input_text or output_text',
      to: 'the same',
      isDerived: true,
      note: 'It becomes text.',
    },
    {
      from: 'decision.*',
      to: 'llm.model_name, llm.request.model_name, llm.response.model_name, llm.provider, llm.system, llm.token_count.*',
      isDerived: true,
    },
  ],
  notCovered: ['Annotations that spans carry (annotations.*, evaluations.*) stay attributes.'],
};
