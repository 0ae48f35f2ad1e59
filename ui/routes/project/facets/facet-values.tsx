import { type CSSProperties, useDeferredValue, useState } from 'react';
import { addFacetValue, type FacetValue, facetValues, removeFacetValue } from '#filter/facet-terms';
import { Button } from '#ui/components/button.tsx';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { Count } from '#ui/components/count.tsx';
import { describeKind, KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from './facets.module.css';
import type { FacetSpec } from './facet-specs.ts';
import type { ListScope } from '../list-scope.ts';
import { type FacetCounts, useFacets } from './use-facets.ts';

/** Values that are shown when somebody asks for more. */
const MORE_VALUES = 50;

/** So many more are found by looking. */
const FEW = 4;

interface FacetValuesProps {
  readonly spec: FacetSpec;
  readonly scope: ListScope;
  /** What the rows are, in the middle of a sentence. */
  readonly noun: string;
  /** As the address has it, without what else the rows fulfil. */
  readonly filter: string;
  /** Undefined while they are not known. */
  readonly counts: FacetCounts | undefined;
  readonly onFilter: (filter: string) => void;
}

/** Values with the number of rows that have them; a tick adds one to the filter. */
export function FacetValues({ spec, scope, noun, filter, counts: first, onFilter }: FacetValuesProps) {
  const { by, title } = spec;
  const { grain } = scope;
  const [search, setSearch] = useState('');
  const [wantsMore, setWantsMore] = useState(false);
  const prefix = useDeferredValue(search.trim());
  const isOwn = wantsMore || prefix !== '';
  const own = useFacets(scope, isOwn ? [{ by, first: MORE_VALUES, ...(prefix !== '' && { prefix }) }] : []);
  const counts = isOwn ? (own.data?.facets[0] ?? first) : first;
  const ticked = facetValues(grain, filter, by);
  const rows = joinTicked(counts, ticked, prefix);
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0));
  const canSearch = isOwn || (first !== undefined && first.otherValueCount > FEW);

  function toggle(value: FacetValue, isTicked: boolean): void {
    const next = isTicked ? addFacetValue(grain, filter, by, value) : removeFacetValue(grain, filter, by, value);
    if (next !== null) onFilter(next);
  }

  return (
    <>
      {canSearch && (
        <SearchField
          label={`Find in ${title}`}
          placeholder="Starts with"
          value={search}
          onChange={setSearch}
          className={styles.search}
        />
      )}
      {rows.length > 0 && (
        <ul className={styles.values} aria-label={title} data-waiting={own.isLoading || undefined}>
          {rows.map(({ value, count }) => (
            <li key={`${typeof value} ${String(value)}`}>
              <Checkbox
                className={styles.value}
                isSelected={ticked.includes(value)}
                onChange={(isTicked) => toggle(value, isTicked)}
              >
                <span
                  className={styles.label}
                  title={revealHidden(labelOf(value))}
                  style={{ '--share': `${((count ?? 0) / most) * 100}%` } as CSSProperties}
                >
                  <ValueLabel value={value} look={spec.look} />
                </span>
                {count !== null && <Count value={count} className={styles.count} />}
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      {counts !== undefined && rows.length === 0 && (prefix !== '' || counts.missingCount > 0) && (
        <p className={styles.note}>
          {prefix === '' ? `None of these ${noun} has a value for ${title}.` : 'No value starts with this text.'}
        </p>
      )}
      {!wantsMore && prefix === '' && counts !== undefined && counts.otherValueCount > 0 && (
        <Button size="sm" variant="ghost" className={styles.more} onPress={() => setWantsMore(true)}>
          {counts.otherValueCount === 1 ? '1 more' : `${counts.otherValueCount} more`}
        </Button>
      )}
      {wantsMore && prefix === '' && counts !== undefined && counts.otherValueCount > 0 && (
        <p className={styles.note}>{counts.otherValueCount} more. Type the start of a value to find it.</p>
      )}
    </>
  );
}

interface ValueRow {
  readonly value: FacetValue;
  /** Null where it is not among those that were counted. */
  readonly count: number | null;
}

/** What was counted, what is missing, and what the filter names beside it. */
function joinTicked(
  counts: FacetCounts | undefined,
  ticked: readonly FacetValue[],
  prefix: string,
): readonly ValueRow[] {
  const known = (counts?.values ?? []).map(({ value, count }): ValueRow => ({ value: value as FacetValue, count }));
  const missing =
    counts !== undefined && counts.missingCount > 0 && prefix === '' && (known.length > 0 || ticked.includes(null));
  const all = missing ? [...known, { value: null, count: counts.missingCount }] : known;
  const others = ticked.filter((value) => !all.some((row) => row.value === value));
  return [...others.map((value) => ({ value, count: null })), ...all];
}

function ValueLabel({ value, look }: { readonly value: FacetValue; readonly look: FacetSpec['look'] }) {
  if (value === null || value === '') return <span className={styles.faint}>{labelOf(value)}</span>;
  if (look === 'kind' && typeof value === 'string') {
    const kind = value.toLowerCase();
    return (
      <>
        <span aria-hidden>
          <KindIcon kind={kind} size={13} />
        </span>
        {describeKind(kind).label}
      </>
    );
  }
  if (look === 'status' && typeof value === 'string') return <StatusMark status={value} size={13} hasText />;
  return <Name>{String(value)}</Name>;
}

function labelOf(value: FacetValue): string {
  if (value === null) return 'No value';
  return value === '' ? 'Empty text' : String(value);
}
