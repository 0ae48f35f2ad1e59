import { type FormEvent, useId, useState } from 'react';
import { type NumberRange, numberRange, setNumberRange } from '#filter/range-terms';
import type { FilterGrain } from '#filter/tree';
import { Button } from '#ui/components/button.tsx';
import { formatDuration, formatExact, formatUsd, nounOf } from '#ui/lib/format.ts';
import { useJudgement } from '#ui/lib/use-judgement.ts';
import styles from './facets.module.css';
import type { FacetSpec } from './facet-specs.ts';
import { boundOf, type NumberBin, wholeBins } from './number-bins.ts';
import { type ReadBound, readBound, type Side, writeBound } from './read-bound.ts';
import type { FacetCounts } from './use-facets.ts';

interface FacetRangeProps {
  readonly spec: FacetSpec;
  readonly grain: FilterGrain;
  /** What the rows are, in the middle of a sentence. */
  readonly noun: string;
  readonly filter: string;
  readonly counts: FacetCounts | undefined;
  readonly onFilter: (filter: string) => void;
}

/** How a number is spread, and the bounds that the filter gives it. */
export function FacetRange({ spec, grain, noun, filter, counts, onFilter }: FacetRangeProps) {
  const { min, max } = numberRange(grain, filter, spec.by);
  const written = { min: writeBound(min, 'min'), max: writeBound(max, 'max') };
  const key = `${written.min} ${written.max}`;
  const [draft, setDraft] = useState({ ...written, key });
  const shown = draft.key === key ? draft : { ...written, key };
  const numbers = counts?.numbers ?? undefined;
  const typed = `${shown.min} ${shown.max}`;
  const [judgement, judge] = useJudgement(typed);
  const faultId = useId();
  const read = { min: readBound(shown.min, spec.look, 'min'), max: readBound(shown.max, spec.look, 'max') };
  const problem = problemOf(read);
  const told = judgement === 'none' ? undefined : problem;
  const isChanged = shown.min !== written.min || shown.max !== written.max;

  function apply(range: NumberRange): void {
    const next = setNumberRange(grain, filter, spec.by, range);
    if (next !== null) onFilter(next);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    judge(typed);
    if ('bound' in read.min && 'bound' in read.max && problem === undefined)
      apply({ min: read.min.bound, max: read.max.bound });
  }

  const most = Math.max(1, ...(numbers?.bins ?? []).map(({ count }) => count));
  return (
    <form className={styles.range} onSubmit={submit}>
      {numbers !== undefined && numbers.bins.length > 1 && (
        <div className={styles.bins}>
          {shownBins(numbers.bins, spec).map(({ from, to, count }) => (
            <button
              key={from}
              type="button"
              className={styles.bin}
              title={`${nameOfBin(spec, from, to)}: ${formatExact(count)}`}
              aria-label={`${nameOfBin(spec, from, to)}: ${formatExact(count)} ${nounOf(count, noun)}`}
              disabled={count === 0}
              onClick={() => apply({ min: boundOf(from), max: boundOf(to) })}
            >
              <span style={{ height: count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)` }} />
            </button>
          ))}
        </div>
      )}
      <div className={styles.bounds}>
        {(['min', 'max'] as const).map((side) => (
          <input
            key={side}
            className={styles.bound}
            aria-label={`${side === 'min' ? 'Minimum' : 'Maximum'} ${lowerFirst(spec.title)}${unitOf(spec)}`}
            aria-invalid={told?.sides.includes(side) ?? false}
            aria-describedby={told?.sides.includes(side) === true ? faultId : undefined}
            placeholder={numbers === undefined ? placeholderOf(spec, side) : format(spec, numbers[side])}
            value={shown[side]}
            onChange={({ target }) => setDraft({ ...shown, [side]: target.value })}
            onBlur={() => judge(typed)}
          />
        ))}
        <Button type="submit" size="sm" isDisabled={!isChanged}>
          Apply
        </Button>
      </div>
      {told !== undefined && (
        <p id={faultId} className={styles.fault} role="alert">
          {told.text}
        </p>
      )}
      {counts !== undefined && numbers === undefined && counts.missingCount > 0 && (
        <p className={styles.note}>
          None of these {noun} has a value for {spec.title}.
        </p>
      )}
    </form>
  );
}

/** What is wrong with two bounds, and with which of them; undefined: nothing. */
function problemOf(
  read: Readonly<Record<Side, ReadBound>>,
): { readonly text: string; readonly sides: readonly Side[] } | undefined {
  const { min, max } = read;
  if ('fault' in min)
    return { text: min.fault, sides: 'fault' in max && max.fault === min.fault ? ['min', 'max'] : ['min'] };
  if ('fault' in max) return { text: max.fault, sides: ['max'] };
  const isReversed = min.bound !== null && max.bound !== null && min.bound.value > max.bound.value;
  return isReversed ? { text: 'The minimum is greater than the maximum.', sides: ['min', 'max'] } : undefined;
}

/** The server counts by powers of ten far below 1, where a count of things has none. */
function shownBins(bins: readonly NumberBin[], { look }: FacetSpec): readonly NumberBin[] {
  return look === undefined ? wholeBins(bins) : bins;
}

function nameOfBin(spec: FacetSpec, from: number, to: number): string {
  const [least, most] = [format(spec, from), format(spec, to)];
  return least === most ? `Exactly ${least}` : `From ${least} to ${most}`;
}

/** Names within a title keep their capitals. */
function lowerFirst(title: string): string {
  return title.slice(0, 1).toLowerCase() + title.slice(1);
}

function placeholderOf({ look }: FacetSpec, side: Side): string {
  return look === 'score' ? `score ${side === 'min' ? '≥' : '≤'}` : side;
}

function unitOf({ look }: FacetSpec): string {
  if (look === 'duration') return ' in milliseconds or with a unit';
  return look === 'cost' ? ' in US dollars' : '';
}

function format({ look }: FacetSpec, value: number): string {
  if (look === 'duration') return formatDuration(value);
  return look === 'cost' ? formatUsd(value) : formatExact(Math.round(value * 100) / 100);
}
