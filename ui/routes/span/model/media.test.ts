import { describe, expect, it } from 'vitest';
import { dataUrlBytes, fileNameFor, readMediaSource } from './media.ts';

describe('where a medium is', () => {
  it('is inside the span for data addresses, with its size', () => {
    expect(readMediaSource('data:audio/wav;base64,AAAAAAAA')).toMatchObject({ mimeType: 'audio/wav', bytes: 6 });
    expect(readMediaSource('DATA:text/html;charset=utf-8,abc')).toMatchObject({ mimeType: 'text/html', bytes: 3 });
    expect(readMediaSource('data:,abc')).toMatchObject({ type: 'inline', mimeType: 'text/plain' });
  });

  it('is inside the span for bare base64 of a picture', () => {
    const bare = `iVBORw0KGgo${'A'.repeat(40)}`;
    expect(readMediaSource(bare)).toMatchObject({ mimeType: 'image/png', dataUrl: `data:image/png;base64,${bare}` });
  });

  it('is an address to read, and never to load, for everything else', () => {
    for (const address of [
      'https://a.example/x.png',
      '//a.example/x',
      'javascript:alert(1)',
      's3://b/k',
      '/9j/',
      ' data:image/png,x',
    ]) {
      expect(readMediaSource(address)).toEqual({ type: 'address', address });
    }
  });
});

it('names files by their kind, and takes no path from it', () => {
  expect(['image/jpeg', 'image/svg+xml', 'audio/wav', '../x', 'application/octet-stream'].map(fileNameFor)).toEqual([
    'attachment.jpg',
    'attachment.svg',
    'attachment.wav',
    'attachment.bin',
    'attachment.bin',
  ]);
});

it('gives the bytes of a data address, and the letters of one that is broken', () => {
  const texts = ['data:text/plain;base64,aGk=', 'data:,h%69', 'data:x;base64,%%%', 'data:,%E0%A4%A'].map((url) =>
    new TextDecoder().decode(dataUrlBytes(url)),
  );
  expect(texts).toEqual(['hi', 'hi', '%%%', '%E0%A4%A']);
});
