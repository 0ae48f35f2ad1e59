import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/traffic/random.ts';
import { decodeBlock, encodeBlock } from './codec.ts';
import { makeDictionary } from './dictionary.ts';

const SHARED = 'The customer asks where parcel 4711 is.';

describe('a dictionary', () => {
  it('holds what many samples share, and nothing that one of them has alone', () => {
    const pick = randomNumbers(7);
    const ownText = (length: number) => Buffer.from(Uint8Array.from({ length }, () => pick(256)));
    const samples = Array.from({ length: 64 }, () =>
      Buffer.concat([ownText(10_000), Buffer.from(SHARED), ownText(10_000)]),
    );
    expect(Buffer.from(makeDictionary(samples)).toString('latin1')).toBe(SHARED);
  });

  it('compresses whatever its first bytes are', () => {
    const shared = Buffer.concat([Buffer.from([0x37, 0xa4, 0x30, 0xec]), Buffer.from(SHARED)]);
    const dictionary = makeDictionary(Array.from({ length: 64 }, () => shared));
    expect(Buffer.from(dictionary).toString('latin1')).toContain(SHARED);
    const message = Buffer.from(`${SHARED} And where is parcel 4712?`);
    const [decoded] = decodeBlock(encodeBlock([message], 9, dictionary), dictionary);
    expect(Buffer.from(decoded ?? []).equals(message)).toBe(true);
  });
});
