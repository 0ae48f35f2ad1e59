import { describe, expect, it } from 'vitest';
import { claimCost } from './cost/claim.ts';
import { distanceAbove, isSameCall, NO_USAGE, reachOf, toUsage } from './usage.ts';

const CLAIM = toUsage({ prompt: 1, completion: null }, null);

describe('what a span can claim', () => {
  it.each([
    [-1, 0],
    [0, 0],
    [1e10, 1e10],
    [1e10 + 1, 0],
    [null, 0],
  ])('of %s tokens is %i', (prompt, promptTokens) => {
    expect(toUsage({ prompt, completion: null }, null)).toEqual({ ...NO_USAGE, promptTokens });
  });

  it.each([
    [0.1 + 0.2, 300_000_000],
    [1e-10, 0],
    [-1, 0],
    [1e6, 0],
    [Number.NaN, 0],
  ])('of %s dollars is %i billionths', (cost, costNanoUsd) => {
    const claimed = claimCost({ total: cost, prompt: null, completion: null }, null);
    expect(toUsage({ prompt: null, completion: null }, claimed)).toEqual({ ...NO_USAGE, costNanoUsd });
  });
});

describe('the distance to a claim', () => {
  it('is passed on by spans that group, and ends at a claim and at what does more', () => {
    expect(distanceAbove({ kind: 'LLM', claim: CLAIM }, null)).toBe(0);
    expect(distanceAbove({ kind: 'CHAIN', claim: CLAIM }, 0)).toBe(1);
    expect(distanceAbove({ kind: 'LLM', claim: NO_USAGE }, 1)).toBe(2);
    expect(distanceAbove({ kind: 'LLM', claim: CLAIM }, 16)).toBe(-1);
    expect(reachOf(-1)).toBe(0);
    expect(distanceAbove({ kind: 'TOOL', claim: NO_USAGE }, 0)).toBeNull();
    expect(distanceAbove({ kind: 'AGENT', claim: NO_USAGE }, 16)).toBeNull();
    expect(distanceAbove({ kind: 'AGENT', claim: NO_USAGE }, null)).toBeNull();
  });
});

describe('two descriptions of one answer', () => {
  const earlier = { startUs: 1, endUs: 5_000_000, instrumentationScopeId: 1 };

  it.each([
    [{ startUs: 2, endUs: 4, instrumentationScopeId: 2 }, true],
    [{ startUs: 1, endUs: 1, instrumentationScopeId: 2 }, true],
    [{ startUs: 2, endUs: 4, instrumentationScopeId: 1 }, false],
    [{ startUs: 2 ** 22, endUs: 2 ** 22 + 1, instrumentationScopeId: 2 }, true],
    [{ startUs: 2 ** 22 + 1, endUs: 2 ** 22 + 2, instrumentationScopeId: 2 }, false],
  ])('%o', (later, isSame) => {
    expect(isSameCall(earlier, later)).toBe(isSame);
  });

  it('are of two calls where the first has ended', () => {
    const later = { startUs: 5, endUs: 6, instrumentationScopeId: 2 };
    expect(isSameCall({ ...earlier, endUs: 5 }, later)).toBe(false);
    expect(isSameCall({ ...earlier, endUs: 6 }, later)).toBe(true);
  });
});
