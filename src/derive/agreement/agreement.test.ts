/** Against what scikit-learn, krippendorff, SciPy and statsmodels say of the same judgements (test/fixtures/agreement/record.py). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { krippendorffAlpha, labelDisagreement, scoreDisagreement } from './alpha.ts';
import { measureLabels, tabulate } from './confusion.ts';
import { correlate } from './correlation.ts';

interface Recorded {
  readonly labels: readonly {
    readonly first: readonly string[];
    readonly second: readonly string[];
    readonly order: readonly string[];
    readonly confusion: readonly (readonly number[])[];
    readonly accuracy: number;
    readonly kappa: number;
    readonly kappaLow: number;
    readonly kappaHigh: number;
  }[];
  readonly alpha: readonly {
    readonly level: 'nominal' | 'interval';
    readonly raters: readonly (readonly (number | null)[])[];
    readonly alpha: number;
  }[];
  readonly scores: readonly {
    readonly first: readonly number[];
    readonly second: readonly number[];
    readonly pearson: number;
    readonly spearman: number;
    readonly meanAbsoluteError: number;
  }[];
}

const RECORDED = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/agreement/recorded.json', import.meta.url), 'utf8'),
) as Recorded;

const close = (value: number) => expect.closeTo(value, 9);

describe('two judges who choose labels', () => {
  it.each(RECORDED.labels)('agree as other programs say ($accuracy)', (recorded) => {
    const pairs = recorded.first.map((first, place) => [first, recorded.second[place] ?? '', 1] as const);
    const { order: labels, confusion: counts } = recorded;
    expect(tabulate(pairs, 10)).toEqual({ labels, counts, labelCount: labels.length });
    const { kappaLow, kappaHigh } = recorded;
    const measured = {
      pairCount: recorded.first.length,
      accuracy: close(recorded.accuracy),
      kappa: close(recorded.kappa),
      kappaBounds: [close(Math.max(-1, kappaLow)), close(Math.min(1, kappaHigh))],
    };
    expect(measureLabels(pairs)).toEqual(measured);
    const counted = [...Map.groupBy(pairs, ([first, second]) => `${first}, ${second}`).values()];
    expect(measureLabels(counted.map((same) => [same[0]?.[0] ?? '', same[0]?.[1] ?? '', same.length]))).toEqual(
      measured,
    );
  });

  it('have no kappa where chance alone agrees', () => {
    const always = measureLabels([['good', 'good', 5]]);
    expect(always).toEqual({ pairCount: 5, accuracy: 1, kappa: null, kappaBounds: null });
    expect(measureLabels([])).toEqual({ pairCount: 0, accuracy: null, kappa: null, kappaBounds: null });
  });

  it('are tabulated by their most frequent labels, and measured by all', () => {
    const pairs = [
      ['odd', 'good', 1],
      ['bad', 'bad', 2],
      ['good', 'bad', 3],
    ] as const;
    expect(tabulate(pairs, 2)).toEqual({
      labels: ['bad', 'good'],
      counts: [
        [2, 0],
        [3, 0],
      ],
      labelCount: 3,
    });
    expect(measureLabels(pairs)).toMatchObject({ pairCount: 6, accuracy: close(1 / 3) });
  });

  it('may have as many labels as things', () => {
    const pairs = Array.from({ length: 20_000 }, (_, place) => [`a ${place}`, `b ${place}`, 1] as const);
    expect(measureLabels(pairs)).toMatchObject({ pairCount: 20_000, accuracy: 0, kappa: 0 });
    expect(tabulate(pairs, 100).counts).toHaveLength(100);
  });
});

describe('any number of judges', () => {
  it.each(RECORDED.alpha)('agree as other programs say ($level, $alpha)', ({ level, raters, alpha }) => {
    const units = (raters[0] ?? []).map((_, unit) => raters.flatMap((rater) => rater[unit] ?? []));
    expect(alphaOf(units, level)).toEqual(close(alpha));
  });

  it('have no alpha where nothing can be compared', () => {
    expect(alphaOf([], 'nominal')).toBeNull();
    expect(alphaOf([[1], [2]], 'nominal')).toBeNull();
    expect(alphaOf([[1, 1]], 'nominal')).toBeNull();
    expect(alphaOf([[1, 1]], 'interval')).toBeNull();
  });
});

/** The sums as a database makes them. */
function alphaOf(units: readonly (readonly number[])[], level: 'nominal' | 'interval'): number | null {
  const compared = units.filter((values) => values.length > 1);
  const all = compared.flat();
  const disagreement = level === 'nominal' ? ofLabels : ofScores;
  let observed = 0;
  for (const values of compared) observed += disagreement(values) / (values.length - 1);
  return krippendorffAlpha({ observed, total: disagreement(all), valueCount: all.length });
}

function ofLabels(values: readonly number[]): number {
  let squares = 0;
  for (const same of Map.groupBy(values, (value) => value).values()) squares += same.length ** 2;
  return labelDisagreement({ count: values.length, squares });
}

function ofScores(values: readonly number[]): number {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return scoreDisagreement({ count: values.length, sum, squares });
}

describe('two judges who give scores', () => {
  it.each(RECORDED.scores)('correlate as other programs say ($pearson)', (recorded) => {
    const { first, second, pearson, spearman, meanAbsoluteError } = recorded;
    const said = { pairCount: first.length, pearson: close(pearson), spearman: close(spearman) };
    const pairs = first.map((score, place) => [score, second[place] ?? 0, 1] as const);
    expect(correlate(pairs)).toEqual({ ...said, meanAbsoluteError: close(meanAbsoluteError) });
    const counted = Map.groupBy(pairs, (pair) => pair.join(' '));
    const grouped = [...counted.values()].map((same) => [same[0]?.[0] ?? 0, same[0]?.[1] ?? 0, same.length] as const);
    expect(correlate(grouped)).toEqual({ ...said, meanAbsoluteError: close(meanAbsoluteError) });
  });

  it('do not correlate where one always says the same', () => {
    const nothing = { pearson: null, spearman: null };
    const constant = correlate([
      [1, 1, 1],
      [1, 2, 1],
    ]);
    expect(constant).toEqual({ pairCount: 2, ...nothing, meanAbsoluteError: 0.5 });
    expect(correlate([[1, 2, 1]])).toEqual({ pairCount: 1, ...nothing, meanAbsoluteError: 1 });
    expect(correlate([])).toEqual({ pairCount: 0, ...nothing, meanAbsoluteError: null });
  });
});
