/** What a program says of a span in words of its own, among them session, user and tags by the names that are usual. */
import type { JsonObject, JsonValue } from '#base/json';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from './flat-attributes.ts';

/** Adds session, user and tags where the data names them, and all data as the metadata. */
export function fillMetadata(attributes: FlatAttributes, data: JsonObject): void {
  if (Object.keys(data).length === 0) return;
  attributes.fill(openinference.ATTR_SESSION_ID, firstName(data, SESSION_NAMES));
  attributes.fill(openinference.ATTR_USER_ID, firstName(data, USER_NAMES));
  fillTags(attributes, data['tags']);
  attributes.fillNamespace(openinference.ATTR_METADATA, data);
}

/** Adds tags: a list of texts, or one text with commas between them. */
export function fillTags(attributes: FlatAttributes, value: JsonValue | undefined): void {
  const list = typeof value === 'string' ? value.split(',').map((tag) => tag.trim()) : value;
  if (!Array.isArray(list)) return;
  const tags = list.filter((tag) => typeof tag === 'string' && tag !== '');
  if (tags.length > 0) attributes.fillNamespace(openinference.ATTR_TAG_TAGS, tags);
}

const SESSION_NAMES: readonly string[] = [
  'session.id',
  'sessionId',
  'session_id',
  'conversationId',
  'conversation_id',
  'threadId',
  'thread_id',
];
const USER_NAMES: readonly string[] = ['user.id', 'userId', 'user_id'];

function firstName(data: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names
    .map((name) => data[name])
    .find((value) => typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''));
}
