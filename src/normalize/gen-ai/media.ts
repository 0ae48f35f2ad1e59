/** Pictures, sounds and files in messages, as OpenInference's contents. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';

/** The medium that an address or inline data is, as the object under `message_content`. */
export function mediaContent(
  modality: string | undefined,
  url: JsonValue | undefined,
  mimeType?: string,
): JsonObject | undefined {
  if (typeof url !== 'string' || url === '') return undefined;
  const type = modality === 'image' || modality === 'audio' || modality === 'video' ? modality : 'document';
  const target = jsonObject();
  target['url'] = url;
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
  if (part['uri'] !== undefined) return mediaContent(modality, part['uri'], mimeType);
  return mediaContent(modality, dataUrl(part['content'] ?? part['data'], mimeType), mimeType);
}

/**
 * The medium that a part says it was, without its data: many libraries leave that out, or put words like `<replaced>` in
 * its place. `undefined` where the part is no medium; documents and files have names and ids, which are kept as they are.
 */
export function readLeftOutMedia(part: JsonObject): JsonObject | undefined {
  const { type } = part;
  const word = typeof type === 'string' ? type : Object.keys(part).find((key) => MEDIA_WORD.test(key));
  const modality = part['modality'] ?? MEDIA_WORD.exec(word ?? '')?.[1];
  if (typeof modality !== 'string' || !MODALITIES.has(modality)) return undefined;
  const content = jsonObject();
  content['type'] = modality;
  const mimeType = mimeTypeOf(part) ?? formatOf(part, modality);
  if (mimeType === undefined) return content;
  const target = jsonObject();
  target['mime_type'] = mimeType;
  const holder = jsonObject();
  holder[modality] = target;
  content[modality] = holder;
  return content;
}

/** Types of OpenAI (`input_image`, `image_url`), of Anthropic's own spans (`anthropic_image`), and keys of Bedrock. */
const MEDIA_WORD = /^(?:anthropic_|input_)?(image|audio|video)(?:_url)?$/;

const MODALITIES: ReadonlySet<string> = new Set(['image', 'audio', 'video']);

/** What Bedrock's parts and Strands' say of their data: `{image: {format, source}}`, `{type, content: {format, source}}`. */
function formatOf(part: JsonObject, medium: string): string | undefined {
  const said = [part[medium], part['content'], part].find(
    (one) => isJsonObject(one) && typeof one['format'] === 'string',
  );
  const format = isJsonObject(said) ? said['format'] : undefined;
  return typeof format === 'string' && /^[\w.+-]{1,40}$/.test(format) ? `${medium}/${format}` : undefined;
}

function mimeTypeOf(part: JsonObject): string | undefined {
  const type = part['mime_type'];
  return typeof type === 'string' && type !== '' ? type : undefined;
}

/** Libraries put words like `<replaced>` in the place of data that they leave out: those are none. */
function dataUrl(data: JsonValue | undefined, mimeType: string | undefined): string | undefined {
  if (typeof data !== 'string' || !BASE64.test(data.slice(0, 256))) return undefined;
  return `data:${mimeType ?? 'application/octet-stream'};base64,${data}`;
}

const BASE64 = /^[A-Za-z0-9+/_=\s-]+$/;
