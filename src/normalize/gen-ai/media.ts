/** Pictures, sounds and files in messages, as OpenInference's contents. */
import { type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { nest } from '../fill.ts';
import { findMedium, isBase64, modalityOf } from '../messages/medium.ts';

/** The medium that an address or inline data is, as the object under `message_content`. */
export function mediaContent(
  modality: string | undefined,
  url: JsonValue | undefined,
  mimeType?: string,
  name?: JsonValue,
): JsonObject | undefined {
  if (typeof url !== 'string' || url === '') return undefined;
  const type = modality === 'image' || modality === 'audio' || modality === 'video' ? modality : 'document';
  const target = jsonObject();
  target['url'] = url;
  if (type === 'document' && typeof name === 'string') target['name'] = name;
  if (mimeType !== undefined && (type === 'audio' || type === 'document')) target['mime_type'] = mimeType;
  // The conventions name the kind twice: `message_content.image.image.url`.
  const holder = jsonObject();
  holder[type] = target;
  const content = jsonObject();
  content['type'] = type;
  content[type] = holder;
  return content;
}

/** A part of the GenAI conventions: inline data (base64) or an address; drafts had `data` and no modality. */
export function readConventionMedia(part: JsonObject): JsonObject | undefined {
  const mimeType = mimeTypeOf(part);
  const modality = typeof part['modality'] === 'string' ? part['modality'] : mimeType?.split('/', 1)[0];
  const url = part['uri'] ?? dataUrl(part['content'] ?? part['data'], mimeType);
  return mediaContent(modality, url, mimeType, part['name']);
}

/**
 * The medium that a part says it was, without its data: many libraries leave that out, or put words like `<replaced>` in
 * its place. `undefined` where the part is no medium, and for files whose media type is not known.
 */
export function readLeftOutMedia(part: JsonObject): JsonObject | undefined {
  const { type } = part;
  const word = typeof type === 'string' ? type : Object.keys(part).find((key) => MEDIA_WORD.test(key));
  const modality = part['modality'] ?? MEDIA_WORD.exec(word ?? '')?.[1];
  if (typeof modality !== 'string' || !MODALITIES.has(modality)) return undefined;
  const known = MODALITIES.get(modality);
  const { mimeType, name } = findMedium(part, known);
  const medium = known ?? modalityOf(mimeType);
  const isFile = medium === 'document';
  const target = jsonObject();
  if (mimeType !== undefined) target['mime_type'] = mimeType;
  if (isFile && name !== undefined) target['name'] = name;
  const isKnown = Object.keys(target).length > 0;
  // What tools list of files has names, and more that is to be seen.
  if (isFile && mimeType === undefined) return undefined;
  const content = jsonObject();
  content['type'] = medium;
  if (isKnown) content[medium] = nest(medium, target);
  return content;
}

/** Types of OpenAI (`input_image`, `image_url`), of Anthropic's own spans (`anthropic_image`), and keys of Bedrock. */
const MEDIA_WORD = /^(?:anthropic_|input_)?(image|audio|video|document|file|binary|media)(?:_url)?$/;

/** Words for media; what some of them are of, only the media type tells. */
const MODALITIES: ReadonlyMap<string, string | undefined> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'document'],
  ['file', undefined],
  ['binary', undefined],
  ['media', undefined],
]);

function mimeTypeOf(part: JsonObject): string | undefined {
  const type = part['mime_type'];
  return typeof type === 'string' && type !== '' ? type : undefined;
}

function dataUrl(data: JsonValue | undefined, mimeType: string | undefined): string | undefined {
  if (typeof data !== 'string' || !isBase64(data)) return undefined;
  return `data:${mimeType ?? 'application/octet-stream'};base64,${data}`;
}
