import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStored, readStored, writeStored } from './storage.ts';

const kept = new Map<string, string>();
const browserStorage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
};

function parseNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', browserStorage);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('what the browser remembers', () => {
  it('is JSON under a name of its own', () => {
    writeStored('split.trace', 42);
    expect([...kept]).toEqual([['cairn.split.trace', '42']]);
    expect(readStored('split.trace', parseNumber)).toBe(42);
  });

  it.each(['{', '"wide"', 'null'])('is nothing when it is not what was meant: %s', (text) => {
    kept.set('cairn.size', text);
    expect(readStored('size', parseNumber)).toBeUndefined();
    expect(createStored('size', 7, parseNumber).get()).toBe(7);
  });

  it('holds for the page where nothing can be kept', () => {
    const refuse = () => {
      throw new Error('The operation is insecure.');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
    expect(readStored('private', parseNumber)).toBeUndefined();
    writeStored('private', 5);
    expect(readStored('private', parseNumber)).toBe(5);
  });

  it('tells who listens, until they no longer do', () => {
    const size = createStored('listened', 1, parseNumber);
    const seen: number[] = [];
    const stop = size.subscribe(() => seen.push(size.get()));
    size.set(2);
    stop();
    size.set(3);
    expect(seen).toEqual([2]);
    expect(createStored('listened', 1, parseNumber).get()).toBe(3);
  });
});
