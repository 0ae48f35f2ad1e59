/** The order of groups. */

/** A number for each group. */
interface RankedBy {
  readonly values: Float64Array;
  readonly counts: Float64Array;
  readonly direction: 'asc' | 'desc';
}

/** Places of groups: those without a value last either way, of equal ones those of more rows first, then those found first. */
export function rankGroups({ values, counts, direction }: RankedBy): readonly number[] {
  const sign = direction === 'asc' ? 1 : -1;
  const of = (place: number) => values[place] ?? Number.NaN;
  return Array.from(values, (_, place) => place).sort((a, b) => {
    const [one, other] = [of(a), of(b)];
    if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
    if (one !== other && !Number.isNaN(one)) return sign * (one - other);
    return (counts[b] ?? 0) - (counts[a] ?? 0) || a - b;
  });
}
