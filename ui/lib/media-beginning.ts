/** What the beginning of base64 tells of the picture, sound or file that it is. */

/** See the file. */
export interface MediaBeginning {
  readonly kind: 'image' | 'audio' | 'video' | 'file';
  /** `PNG image, 640 × 480`. */
  readonly label: string;
}

/**
 * What a text that begins with a data address, or with base64 of a well-known kind of file, holds; undefined of other texts.
 * The size of a picture is known where its format writes it at the beginning, as PNG, GIF, BMP and WebP do.
 */
export function readMediaBeginning(text: string): MediaBeginning | undefined {
  const [header = '', mimeType = ''] = DATA_ADDRESS.exec(text) ?? [];
  const body = text.slice(header.length);
  const found = FORMATS.find(({ start }) => body.startsWith(start));
  if (header === '' && (found === undefined || !/^[\w+/=-]{32,}$/.test(body))) return undefined;
  const [type = 'application', subtype = 'octet-stream'] =
    (mimeType === '' ? found?.mimeType : mimeType.toLowerCase())?.split('/') ?? [];
  const kind = type === 'image' || type === 'audio' || type === 'video' ? type : 'file';
  const name = NAMES.get(subtype) ?? subtype.replace(/\+.*$/, '').replace(/^x-/, '').toUpperCase();
  const size = found?.sizeOf?.(decode(body));
  const sizeText = size !== undefined && size.width > 0 && size.height > 0 ? `, ${size.width} × ${size.height}` : '';
  return { kind, label: `${name} ${NOUNS[kind]}${sizeText}` };
}

const DATA_ADDRESS = /^data:([\w-]+\/[\w.+-]+)?(?:;[\w-]+=[\w.-]+)*;base64,/i;

const NOUNS: Readonly<Record<MediaBeginning['kind'], string>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  file: 'file',
};

const NAMES: ReadonlyMap<string, string> = new Map([
  ['octet-stream', 'Binary'],
  ['plain', 'Text'],
  ['mpeg', 'MP3'],
  ['webp', 'WebP'],
  ['webm', 'WebM'],
]);

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Format {
  /** Base64 of its first bytes. */
  readonly start: string;
  readonly mimeType: string;
  readonly sizeOf?: (bytes: DataView) => Size | undefined;
}

const FORMATS: readonly Format[] = [
  {
    start: 'iVBORw0KGgo',
    mimeType: 'image/png',
    sizeOf: (bytes) => ({ width: bytes.getUint32(16), height: bytes.getUint32(20) }),
  },
  { start: '/9j/', mimeType: 'image/jpeg' },
  {
    start: 'R0lGOD',
    mimeType: 'image/gif',
    sizeOf: (bytes) => ({ width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) }),
  },
  { start: 'UklGR', mimeType: 'image/webp', sizeOf: sizeOfWebp },
  { start: 'JVBERi0', mimeType: 'application/pdf' },
];

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function sizeOfWebp(bytes: DataView): Size | undefined {
  switch (bytes.getUint32(12)) {
    case 0x56503858: // VP8X
      return { width: 1 + readUint24(bytes, 24), height: 1 + readUint24(bytes, 27) };
    case 0x5650384c: {
      // VP8L
      const bits = bytes.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 0x56503820: // VP8
      return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}

function readUint24(bytes: DataView, at: number): number {
  return bytes.getUint16(at, true) + bytes.getUint8(at + 2) * 65_536;
}

/** As many bytes as a size can need; zeros where the text ends before, or is no base64. */
function decode(base64: string): DataView {
  const bytes = new DataView(new ArrayBuffer(HEADER_BYTES));
  const whole = base64.slice(0, HEADER_LETTERS).replaceAll('-', '+').replaceAll('_', '/');
  try {
    const letters = atob(whole.slice(0, whole.length - (whole.length % 4)));
    for (let at = 0; at < letters.length; at++) bytes.setUint8(at, letters.charCodeAt(at));
  } catch {
    // The letters are none of base64: there is nothing to be known.
  }
  return bytes;
}

const HEADER_BYTES = 48;
const HEADER_LETTERS = 64;
