/** Flattened messages of OpenInference, from which an instrumentation left out what its source has. */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import type { FlatAttributes } from '../flat-attributes.ts';

/**
 * Adds what is missing in the messages that are flattened below the key: ids, calls, results, pictures, texts. Only where
 * both are the same messages: as many, of the same roles, in the same order. What is there stays.
 */
export function completeMessages(attributes: FlatAttributes, key: string, messages: readonly JsonObject[]): void {
  const shown = collectShown(attributes, key);
  if (shown.length !== messages.length || shown.length === 0) return;
  const sources = messages.map(({ message }) => message).filter(isJsonObject);
  if (!sources.every((source, at) => isSameRole(source['role'], shown[at]?.role))) return;
  for (const [at, source] of sources.entries()) {
    const target = shown[at];
    if (target !== undefined) completeMessage(attributes, `${key}.${at}.message`, target, source);
  }
}

/** What there is of a flattened message. */
interface ShownMessage {
  role: JsonValue | undefined;
  hasContent: boolean;
  readonly contents: Set<number>;
  readonly calls: Set<number>;
}

/** Messages in order; none where their indexes have gaps. */
function collectShown(attributes: FlatAttributes, key: string): ShownMessage[] {
  const shown: ShownMessage[] = [];
  const prefix = `${key}.`;
  for (const [path, value] of attributes.entries()) {
    if (!path.startsWith(prefix)) continue;
    const found = PATH.exec(path.slice(prefix.length));
    const at = Number(found?.[1] ?? -1);
    if (found === null || at > MAX_MESSAGES) continue;
    const message = (shown[at] ??= { role: undefined, hasContent: false, contents: new Set(), calls: new Set() });
    const [, , field, index] = found;
    if (field === 'role') message.role = value;
    else if (field === 'content') message.hasContent = value !== '';
    else if (field === 'contents' && index !== undefined) message.contents.add(Number(index));
    else if (field === 'tool_calls' && index !== undefined) message.calls.add(Number(index));
  }
  // A hole is no message.
  return Object.keys(shown).length === shown.length ? shown : [];
}

const PATH = /^(\d{1,5})\.message\.(\w+)(?:\.(\d{1,5})\.)?/;

/** Nobody reads longer conversations on one page, and each costs a look at every key. */
const MAX_MESSAGES = 10_000;

function isSameRole(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || (typeof a === 'string' && typeof b === 'string' && (ROLES.get(a) ?? a) === (ROLES.get(b) ?? b));
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['human', 'user'],
  ['developer', 'system'],
  ['function', 'tool'],
]);

function completeMessage(attributes: FlatAttributes, path: string, shown: ShownMessage, source: JsonObject): void {
  attributes.fill(`${path}.tool_call_id`, source['tool_call_id']);
  const calls = source['tool_calls'];
  if (Array.isArray(calls) && (shown.calls.size === 0 || shown.calls.size === calls.length)) {
    for (const [at, call] of calls.entries()) fillLeaves(attributes, `${path}.tool_calls.${at}`, call);
  }
  const { content, contents } = source;
  if (!shown.hasContent && shown.contents.size === 0) attributes.fill(`${path}.content`, content);
  if (!Array.isArray(contents)) return;
  if (shown.contents.size === contents.length) completeContents(attributes, path, contents);
  else if (shown.contents.size === 0) {
    // The text is there already; pictures and the like come beside it.
    const missing = shown.hasContent ? contents.filter((item) => typeOf(item) !== 'text') : contents;
    for (const [at, item] of missing.entries()) fillLeaves(attributes, `${path}.contents.${at}`, item);
  }
}

/** Parts in the same places; one of another type that says nothing becomes what its source says. */
function completeContents(attributes: FlatAttributes, path: string, contents: readonly JsonValue[]): void {
  for (const [at, item] of contents.entries()) {
    const itemPath = `${path}.contents.${at}`;
    const typeKey = `${itemPath}.message_content.type`;
    const type = typeOf(item);
    const isEmpty = type !== undefined && attributes.get(typeKey) !== type && !hasValue(attributes, itemPath, item);
    if (isEmpty) attributes.rewrite(typeKey, type);
    if (attributes.get(typeKey) === type) fillLeaves(attributes, itemPath, item);
  }
}

function hasValue(attributes: FlatAttributes, path: string, item: JsonValue): boolean {
  const type = typeOf(item);
  return ['text', `${type}.${type}.url`].some((end) => attributes.get(`${path}.message_content.${end}`) !== undefined);
}

function typeOf(item: JsonValue): string | undefined {
  const content = isJsonObject(item) ? item['message_content'] : undefined;
  const type = isJsonObject(content) ? content['type'] : undefined;
  return typeof type === 'string' ? type : undefined;
}

function fillLeaves(attributes: FlatAttributes, path: string, item: JsonValue): void {
  if (!isJsonObject(item)) return;
  for (const [key, value] of flattenAttributes(item)) attributes.fill(`${path}.${key}`, value);
}
