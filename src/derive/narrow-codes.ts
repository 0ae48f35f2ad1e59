/**
 * Short codes for what the attributes of most rows have in common: names, and members of few values. JSON that is written without spaces
 * holds no control characters, so a row that has none is read as it is, and no text can be taken for a code.
 */

/**
 * The beginning of a member each. Rows refer to places in this list: phrases are added at its end, and none is ever removed or moved. The
 * first thirty have codes of one character.
 */
const PHRASES: readonly string[] = [
  ...names('input.value', 'output.value', 'openinference.span.kind', 'session.id', 'user.id', 'metadata'),
  ...names('llm.model_name', 'llm.provider', 'llm.system', 'llm.invocation_parameters', 'llm.cost.total'),
  ...names('llm.token_count.prompt', 'llm.token_count.completion', 'llm.token_count.total'),
  ...names('llm.token_count.prompt_details.cache_read', 'llm.input_messages.', 'llm.output_messages.'),
  ...names('llm.tools.', 'tool.name', 'tool.description', 'tool.parameters', 'gen_ai.operation.name'),
  '"openinference.span.kind":"LLM"',
  '"openinference.span.kind":"CHAIN"',
  '"openinference.span.kind":"TOOL"',
  '"openinference.span.kind":"AGENT"',
  '"input.mime_type":"text/plain"',
  '"input.mime_type":"application/json"',
  '"output.mime_type":"text/plain"',
  '"output.mime_type":"application/json"',
  // From here on, codes have two characters.
  '"openinference.span.kind":"RETRIEVER"',
  '"openinference.span.kind":"EMBEDDING"',
  ...names('llm.token_count.prompt_details.cache_write', 'llm.token_count.prompt_details.audio'),
  ...names('llm.token_count.completion_details.reasoning', 'llm.token_count.completion_details.audio'),
  ...names('llm.cost.prompt', 'llm.cost.completion', 'llm.prompts.', 'llm.choices.', 'llm.finish_reason'),
  ...names('llm.function_call', 'llm.prompt_template.template', 'llm.prompt_template.variables'),
  ...names('retrieval.documents.', 'reranker.input_documents.', 'reranker.output_documents.', 'reranker.query'),
  ...names('reranker.model_name', 'reranker.top_k', 'embedding.embeddings.', 'embedding.model_name', 'agent.name'),
  ...names('graph.node.id', 'graph.node.name', 'graph.node.parent_id', 'tag.tags', 'tool.id', 'tool.json_schema'),
  ...names('gen_ai.system', 'gen_ai.provider.name', 'gen_ai.request.model', 'gen_ai.response.model'),
  ...names('gen_ai.response.id', 'gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens', 'gen_ai.conversation.id'),
  ...names('gen_ai.request.temperature', 'gen_ai.request.max_tokens', 'gen_ai.agent.name', 'gen_ai.tool.name'),
  ...names('gen_ai.tool.call.id', 'gen_ai.output.type', 'server.address', 'server.port', 'error.type'),
];

function names(...keys: readonly string[]): readonly string[] {
  return keys.map((key) => `${JSON.stringify(key)}:`);
}

/** Begins a code of two characters. */
const LONG = '\u001f';
const ONE_CHARACTER = 30;
const FIRST_SECOND = 0x30;

const CODES = new Map(PHRASES.map((phrase, place) => [phrase, codeOf(place)]));
const PHRASE_OF = new Map([...CODES].map(([phrase, code]) => [code, phrase]));

function codeOf(place: number): string {
  if (place < ONE_CHARACTER) return String.fromCharCode(place + 1);
  return LONG + String.fromCharCode(FIRST_SECOND + place - ONE_CHARACTER);
}

const ANY_CODE = new RegExp(`${LONG}.|[\u0001-\u001e]`, 'g');

/** Packs members of one name. @param jsonKey the name as JSON; the packer takes a value as JSON */
export function memberPacker(jsonKey: string): (json: string) => string {
  const name = `${jsonKey}:`;
  const packedName = CODES.get(name) ?? name;
  const members = wholeMembers(name);
  if (members.length === 0) return (json) => packedName + json;
  // To look up whole members, each would have to be put together and hashed first.
  const codeOfValue = new Map(members.map(([code, json]) => [json, code]));
  return (json) => codeOfValue.get(json) ?? packedName + json;
}

/** Packs one name of a list. @param jsonKey the name as JSON */
export function packName(jsonKey: string): string {
  return CODES.get(`${jsonKey}:`) ?? jsonKey;
}

/** The JSON of packed members; of JSON itself the same. */
export function unpackMembers(packed: string): string {
  return packed.replace(ANY_CODE, (code) => PHRASE_OF.get(code) ?? code);
}

/** The JSON of a packed list of names. */
export function unpackNames(packed: string): string {
  return packed.replace(ANY_CODE, (code) => PHRASE_OF.get(code)?.slice(0, -1) ?? code);
}

/** Codes that stand for a name, or begin with one. */
export interface CodesOfName {
  /** Of the name itself. */
  readonly own: string | undefined;
  /** Of whole members of that name, with their values as JSON. */
  readonly members: readonly (readonly [code: string, json: string])[];
  /** Of names with that beginning. */
  readonly inside: readonly string[];
}

/** @param jsonKey the name as JSON; @param jsonStart the beginning of others, with its quote */
export function codesOfName(jsonKey: string, jsonStart: string): CodesOfName {
  const name = `${jsonKey}:`;
  return { own: CODES.get(name), members: wholeMembers(name), inside: codesOfPhrases(jsonStart) };
}

/** The texts of which one is in packed members that have the name, and none in others. */
export function signsOfMember(key: string): readonly string[] {
  const name = `${JSON.stringify(key)}:`;
  return [name, ...codesOfPhrases(name)];
}

function wholeMembers(name: string): CodesOfName['members'] {
  return [...CODES].flatMap(([phrase, code]) =>
    phrase.length > name.length && phrase.startsWith(name) ? [[code, phrase.slice(name.length)] as const] : [],
  );
}

function codesOfPhrases(start: string): readonly string[] {
  return [...CODES].flatMap(([phrase, code]) => (phrase.startsWith(start) ? code : []));
}
