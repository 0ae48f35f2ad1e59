import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { facetValues } from '#filter/facet-terms';
import { numberRange } from '#filter/range-terms';
import type { FilterGrain } from '#filter/tree';
import type { ListScope } from '../list-scope.ts';
import { type AnnotationFacetSpec, type FacetSpec, FIRST_VALUES } from './facet-specs.ts';
import { FacetRange } from './facet-range.tsx';
import { FacetValues } from './facet-values.tsx';
import styles from './facets.module.css';
import { useFacets } from './use-facets.ts';
import { useLabelCounts } from './use-label-counts.ts';

interface PartProps {
  readonly spec: FacetSpec;
  readonly filter: string;
}

interface OpenableProps extends PartProps {
  readonly scope: ListScope;
  readonly noun: string;
  readonly onFilter: (filter: string) => void;
}

/** One of an attribute is counted when it is opened. */
export function AttributeFacet(props: OpenableProps) {
  const { spec, scope, filter } = props;
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useFacets(scope, isOpen ? [{ by: spec.by, first: FIRST_VALUES }] : []);
  return (
    <Facet spec={spec} grain={scope.grain} filter={filter} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)}>
      <FacetValues {...props} counts={data?.facets[0]} />
    </Facet>
  );
}

/** One of annotations of a name: their labels are counted when it is opened, too; their scores have bounds. */
export function AnnotationFacet(props: OpenableProps & { readonly spec: AnnotationFacetSpec }) {
  const { spec, scope, filter } = props;
  const { grain } = scope;
  const [isOpen, setIsOpen] = useState(false);
  const said = useLabelCounts(scope, spec.name, isOpen);
  const isBounded = countChosen(grain, spec.score, filter) > 0;
  // Bounds that leave nothing can still be taken back.
  const hasRange = isBounded || said?.hasScores === true;
  const hasLabels = said === undefined || said.labels.values.length > 0 || countChosen(grain, spec, filter) > 0;
  return (
    <Facet
      spec={spec}
      more={spec.score}
      grain={grain}
      filter={filter}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      {(hasLabels || !hasRange) && <FacetValues {...props} counts={said?.labels} />}
      {hasRange && <FacetRange {...props} spec={spec.score} grain={grain} counts={undefined} />}
    </Facet>
  );
}

interface FacetProps extends PartProps {
  /** What else the same heading opens. */
  readonly more?: FacetSpec;
  readonly grain: FilterGrain;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A heading that opens what is below it, with the number of values that the filter names. */
export function Facet({ spec, more, grain, filter, isOpen, onToggle, children }: FacetProps) {
  const bodyId = useId();
  const chosen = countChosen(grain, spec, filter) + (more === undefined ? 0 : countChosen(grain, more, filter));
  return (
    <section className={styles.facet}>
      <h3>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={onToggle}
        >
          <ChevronRight size={14} aria-hidden className={styles.chevron} />
          <span className={styles.name}>{spec.title}</span>
          {chosen > 0 && <span className={styles.chosen}>{chosen}</span>}
        </button>
      </h3>
      <div id={bodyId} hidden={!isOpen} className={styles.body}>
        {isOpen && children}
      </div>
    </section>
  );
}

function countChosen(grain: FilterGrain, { by, kind }: FacetSpec, filter: string): number {
  if (kind === 'values') return facetValues(grain, filter, by).length;
  const { min, max } = numberRange(grain, filter, by);
  return Number(min !== null) + Number(max !== null);
}
