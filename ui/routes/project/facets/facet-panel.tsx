import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { objectionOf } from '#ui/lib/server-error.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useAnnotationNames } from '../annotation-columns.tsx';
import { AnnotationFacet, AttributeFacet, Facet } from './facet.tsx';
import { annotationFacets, attributeFacets, FACETS, FIRST_VALUES } from './facet-specs.ts';
import { FacetRange } from './facet-range.tsx';
import { FacetValues } from './facet-values.tsx';
import styles from './facets.module.css';
import type { ListScope } from '../list-scope.ts';
import { useAttributePaths, useFacets } from './use-facets.ts';

interface FacetPanelProps {
  /** Whose filter is all that the rows fulfil. */
  readonly scope: ListScope;
  /** What the rows are, in the middle of a sentence. */
  readonly noun: string;
  /** As the address has it; null: none. */
  readonly filter: string | null;
  readonly onFilter: (filter: string | null) => void;
  readonly onClose: () => void;
  /** Whether it covers the table. */
  readonly isOver: boolean;
}

/** What the rows of a table are told apart by, with counts for its time and filter. */
export function FacetPanel({ scope, noun, filter, onFilter, onClose, isOver }: FacetPanelProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const text = filter ?? '';
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // What has the focus is covered.
    if (isOver) closer.current?.focus();
  }, [isOver]);
  useShortcuts('Facets', isOver ? [{ keys: 'Escape', label: 'Close the facets' }] : []);
  const { grain } = scope;
  const open = FACETS[grain].filter(({ by }) => !folded.has(by));
  const { data, error, isLoading, ask } = useFacets(
    scope,
    open.map(({ by, first = FIRST_VALUES }) => ({ by, first })),
  );
  const attributes = attributeFacets(grain, useAttributePaths(scope));
  const annotations = annotationFacets(grain, useAnnotationNames(scope.projectId, TABLES[grain]));
  const found = attributes.filter(({ title }) => title.toLowerCase().includes(search.trim().toLowerCase()));
  // Until then, what comes above would move what is below away from under the pointer.
  const hasValues = data !== undefined || !isLoading;
  const parts = { noun, filter: text, onFilter: (next: string) => onFilter(next === '' ? null : next) };

  function toggle(by: string): void {
    const next = new Set(folded);
    if (!next.delete(by)) next.add(by);
    setFolded(next);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The key is that of whatever has the focus inside.
    <aside
      className={styles.panel}
      data-facets
      aria-label="Facets"
      onKeyDown={(event) => {
        if (!isOver || event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <ProgressLine isActive={isLoading} label="Counting values" />
      <header className={styles.head}>
        <h2 className={styles.title}>Filters</h2>
        <IconButton icon={X} size="sm" label="Close the filters" ref={closer} onPress={onClose} />
      </header>
      <div className={styles.scroller}>
        {data?.isPartial === true && (
          <p className={styles.note}>
            Counted in the newest {Math.max(1, Math.floor(data.share * 100))} % of the {noun}.
          </p>
        )}
        {error !== undefined && (
          <div className={styles.note} role="alert">
            The values could not be counted. {describeError(error)}
            {objectionOf(error) !== 'refused' && (
              <Button size="sm" onPress={ask}>
                Try again
              </Button>
            )}
          </div>
        )}
        {FACETS[grain].map((spec) => (
          <Facet
            key={spec.by}
            spec={spec}
            grain={grain}
            filter={text}
            isOpen={!folded.has(spec.by)}
            onToggle={() => toggle(spec.by)}
          >
            {spec.kind === 'number' ? (
              <FacetRange spec={spec} grain={grain} counts={data?.facets.find(({ by }) => by === spec.by)} {...parts} />
            ) : (
              <FacetValues
                spec={spec}
                scope={scope}
                counts={data?.facets.find(({ by }) => by === spec.by)}
                {...parts}
              />
            )}
          </Facet>
        ))}
        {hasValues && annotations.length > 0 && (
          <section className={styles.attributes} aria-label="Annotations">
            <h3 className={styles.group}>Annotations</h3>
            {annotations.map((spec) => (
              <AnnotationFacet key={spec.by} spec={spec} scope={scope} {...parts} />
            ))}
          </section>
        )}
        {hasValues && attributes.length > 0 && (
          <section className={styles.attributes} aria-label="Attributes">
            <h3 className={styles.group}>Attributes</h3>
            <SearchField
              label="Find an attribute"
              placeholder="Find an attribute"
              value={search}
              onChange={setSearch}
              className={styles.search}
            />
            {found.slice(0, MAX_ATTRIBUTES).map((spec) => (
              <AttributeFacet key={spec.by} spec={spec} scope={scope} {...parts} />
            ))}
            {found.length > MAX_ATTRIBUTES && (
              <p className={styles.note}>{found.length - MAX_ATTRIBUTES} more. Search for them by name.</p>
            )}
            {found.length === 0 && <p className={styles.note}>No attribute has this name.</p>}
          </section>
        )}
      </div>
    </aside>
  );
}

const MAX_ATTRIBUTES = 40;

const TABLES = { span: 'spans', trace: 'traces', session: 'sessions' } as const;
