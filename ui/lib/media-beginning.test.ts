import { expect, it } from 'vitest';
import { readMediaBeginning } from './media-beginning.ts';

/** Base64 of bytes, as long as a preview. */
function base64(...bytes: readonly (number | string)[]): string {
  const head = bytes.map((part) => (typeof part === 'string' ? part : String.fromCharCode(part))).join('');
  return btoa(head.padEnd(75, '\0')).slice(0, 100);
}

const PNG = base64('\x89PNG\r\n\x1A\n', 0, 0, 0, 13, 'IHDR', 0, 0, 2, 128, 0, 0, 1, 224);

it.each([
  [PNG, 'image', 'PNG image, 640 × 480'],
  [`data:image/png;base64,${PNG}`.slice(0, 100), 'image', 'PNG image, 640 × 480'],
  [base64('GIF89a', 0x40, 0x01, 0xc8, 0x00), 'image', 'GIF image, 320 × 200'],
  [
    base64('RIFF', 0, 0, 0, 0, 'WEBPVP8X', 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x03, 0, 0xff, 0x01, 0),
    'image',
    'WebP image, 1024 × 512',
  ],
  [base64(0xff, 0xd8, 0xff, 0xe0), 'image', 'JPEG image'],
  ['data:image/svg+xml;charset=utf-8;base64,PHN2Zz4=', 'image', 'SVG image'],
  ['data:audio/mpeg;base64,SUQz', 'audio', 'MP3 audio'],
  ['data:application/pdf;base64,JVBERi0', 'file', 'PDF file'],
  ['data:;base64,AAEC', 'file', 'Binary file'],
])('of %s tells what it is', (text, kind, label) => {
  expect(readMediaBeginning(text)).toEqual({ kind, label });
});

it('leaves the size out where it cannot be known', () => {
  expect(readMediaBeginning('data:image/png;base64,iVBORw0KGgo')?.label).toBe('PNG image');
  expect(readMediaBeginning('data:image/png;base64,iVBORw0KGgo!!!!!!!!!!!!!!!!')?.label).toBe('PNG image');
});

it.each(['', 'What is this?', '/9j/ is how JPEG begins', 'iVBORw0KGgo', 'data:text/plain,hello', '{"a": 1}'])(
  'takes %j for a text',
  (text) => {
    expect(readMediaBeginning(text)).toBeUndefined();
  },
);
