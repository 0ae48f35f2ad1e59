/** Pictures, sounds and files of a span: what is inside the span can be shown, an address is only text. */

/** Where a medium is. Only `inline` may ever reach an element that loads something. */
export type MediaSource =
  | {
      readonly type: 'inline';
      readonly mimeType: string;
      readonly dataUrl: string;
      /** Of the medium itself, not of its text. */
      readonly bytes: number;
    }
  | { readonly type: 'address'; readonly address: string };

/** Reads a data address, bare base64 of a well-known kind of picture, or an address. */
export function readMediaSource(url: string): MediaSource {
  const header = DATA_URL.exec(url.slice(0, MAX_HEADER));
  if (header !== null) {
    const [prefix, mimeType = '', parameters = ''] = header;
    const isBase64 = /;base64$/i.test(parameters);
    const bytes = isBase64 ? base64Bytes(url.length - prefix.length) : url.length - prefix.length;
    return { type: 'inline', mimeType: mimeType.toLowerCase() || 'text/plain', dataUrl: url, bytes };
  }
  for (const [start, mimeType] of MAGIC) {
    if (url.startsWith(start) && /^[\w+/=-]{32,}$/.test(url.slice(0, MAX_HEADER))) {
      return { type: 'inline', mimeType, dataUrl: `data:${mimeType};base64,${url}`, bytes: base64Bytes(url.length) };
    }
  }
  return { type: 'address', address: url };
}

/** A file name for what is saved. */
export function fileNameFor(mimeType: string): string {
  const subtype = /^[\w-]+\/([\w-]+)/.exec(mimeType)?.[1] ?? 'bin';
  return `attachment.${EXTENSIONS.get(subtype) ?? subtype}`;
}

/** How many bytes so many characters of base64 stand for. */
function base64Bytes(length: number): number {
  return Math.floor((length * 3) / 4);
}

const MAX_HEADER = 300;
const DATA_URL = /^data:([\w-]+\/[\w.+-]+)?((?:;[\w-]+(?:=[^;,]*)?)*),/i;

/** What base64 of these files begins with. */
const MAGIC: readonly (readonly [start: string, mimeType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'jpg'],
  ['svg', 'svg'],
  ['plain', 'txt'],
  ['mpeg', 'mp3'],
  ['octet-stream', 'bin'],
]);

/** The bytes of a data address; none of what is malformed. */
export function dataUrlBytes(dataUrl: string): Uint8Array<ArrayBuffer> {
  const comma = dataUrl.indexOf(',');
  const body = dataUrl.slice(comma + 1);
  try {
    const text = /;base64$/i.test(dataUrl.slice(0, comma)) ? atob(body.replace(/\s/g, '')) : undefined;
    if (text === undefined) return new TextEncoder().encode(decodeURIComponent(body));
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  } catch {
    // Neither base64 nor an escaped text: the letters themselves are all there is to save.
    return new TextEncoder().encode(body);
  }
}
