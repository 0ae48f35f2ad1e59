/** Reads the picture, sound, video or file that a part of a message shows, in the forms of all providers and frameworks. */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { toInteger } from '../number.ts';

/** Absent where the part does not say. */
export interface Medium {
  /** An address, or the id under which the provider has it. */
  readonly address: string | undefined;
  /** Base64. */
  readonly data: string | undefined;
  /** The whole of a file that is a text. */
  readonly text: string | undefined;
  readonly mimeType: string | undefined;
  readonly name: string | undefined;
}

/**
 * Reads the part and the objects inside it that providers and frameworks put between it and its data.
 * @param modality what the part is known to be, which tells the media type of a bare format
 */
export function findMedium(part: JsonObject, modality?: string): Medium {
  const holders = listHolders(part);
  const said = firstString(holders, DATA_KEYS, readData);
  return {
    address: firstString(holders, DATA_KEYS, readAddress) ?? firstString(holders, ADDRESS_KEYS, nonEmpty),
    data: said,
    text: holders.slice(1).map(readText).find(isDefined),
    mimeType: firstString(holders, MIME_TYPE_KEYS, nonEmpty) ?? readFormat(holders, modality),
    name: firstString(holders, NAME_KEYS, nonEmpty),
  };
}

/** The kind of medium that a media type is of. */
export function modalityOf(mimeType: string | undefined): 'image' | 'audio' | 'video' | 'document' {
  const [type] = mimeType?.split('/', 1) ?? [];
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
}

/** The part first, then what it holds, level by level. */
function listHolders(part: JsonObject): JsonObject[] {
  const all = [part];
  let level = [part];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    level = level.flatMap((holder) => HOLDER_KEYS.map((key) => holder[key] ?? null).filter(isJsonObject));
    all.push(...level);
  }
  return all;
}

/** Bedrock's `{image: {source: {s3Location: {uri}}}}` is the deepest. */
const MAX_DEPTH = 4;

/**
 * `source` is Anthropic's and Bedrock's, `content` Strands', `file` and `input_audio` OpenAI's, `data` the Vercel AI SDK's
 * from major 6 on.
 */
const HOLDER_KEYS: readonly string[] = [
  'source',
  'content',
  'file',
  'data',
  'input_audio',
  'image',
  'audio',
  'video',
  'document',
  's3Location',
  'location',
];

const DATA_KEYS: readonly string[] = [
  'data',
  'base64',
  'base64_image',
  'bytes',
  'file_data',
  'content',
  'image',
  'audio',
];
const ADDRESS_KEYS: readonly string[] = [
  'url',
  'uri',
  'file_uri',
  'fileUri',
  'file_url',
  'image_url',
  'file_id',
  'fileId',
];
const MIME_TYPE_KEYS: readonly string[] = [
  'mime_type',
  'mimeType',
  'media_type',
  'mediaType',
  'mimetype',
  'image_mimetype',
  'document_mimetype',
];
const NAME_KEYS: readonly string[] = ['filename', 'file_name', 'name', 'title'];

function firstString(
  holders: readonly JsonObject[],
  keys: readonly string[],
  read: (value: JsonValue) => string | undefined,
): string | undefined {
  for (const holder of holders) {
    for (const key of keys) {
      const value = holder[key];
      const found = value === undefined || value === null ? undefined : read(value);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function nonEmpty(value: JsonValue): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function readAddress(value: JsonValue): string | undefined {
  return typeof value === 'string' && ADDRESS.test(value) ? value : undefined;
}

const ADDRESS = /^(?:data:|[a-z][a-z0-9+.-]*:\/\/)/i;

function readData(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return toBase64(value);
  return !ADDRESS.test(value) && isBase64(value) ? value : undefined;
}

/** Libraries put words like `<replaced>` in the place of data that they leave out: those are none. */
export function isBase64(text: string): boolean {
  return BASE64.test(text.slice(0, 256));
}

/** In lines, but without blanks, which tell plain words apart. */
const BASE64 = /^[A-Za-z0-9+/_=\r\n-]+$/;

/** Bytes as JavaScript serialises them: a Buffer (`{type, data: […]}`) or a typed array (`{"0": 137, …}`). */
function toBase64(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const numbers = Array.isArray(value['data']) ? value['data'] : Object.values(value);
  if (numbers.length === 0 || !numbers.every(isByte)) return undefined;
  return Buffer.from(numbers.map((number) => toInteger(number) ?? 0)).toString('base64');
}

function isByte(value: JsonValue): boolean {
  const byte = typeof value === 'string' ? undefined : toInteger(value);
  return byte !== undefined && byte >= 0 && byte <= 255;
}

/** Anthropic's sources of the types `text` and `content`, and Bedrock's with the text under that name. */
function readText(holder: JsonObject): string | undefined {
  const { type, data, content, text } = holder;
  if (type === 'text' && typeof data === 'string') return data;
  if (type === 'content' && typeof content === 'string') return content;
  return typeof text === 'string' ? text : undefined;
}

/** `png` of a picture is `image/png`. */
function readFormat(holders: readonly JsonObject[], modality: string | undefined): string | undefined {
  const format = firstString(holders, ['format'], (value) =>
    typeof value === 'string' && /^[\w.+-]{1,40}$/.test(value) ? value : undefined,
  );
  if (format === undefined || modality === undefined) return undefined;
  return modality === 'document' ? DOCUMENT_TYPES.get(format) : `${modality}/${format}`;
}

/** The formats of Bedrock's documents. */
const DOCUMENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
]);
