import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { facetValues } from '#filter/facet-terms';
import { numberRange } from '#filter/range-terms';
import type { FilterGrain } from '#filter/tree';
import type { ListScope } from '../list-scope.ts';
import { type AnnotationFacetSpec, type FacetSpec, FIRST_VALUES } from './facet-specs.ts';
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

/** One of the labels of annotations is counted when it is opened, too. */
export function AnnotationFacet(props: OpenableProps & { readonly spec: AnnotationFacetSpec }) {
  const { spec, scope, filter } = props;
  const [isOpen, setIsOpen] = useState(false);
  const counts = useLabelCounts(scope, spec.name, isOpen);
  return (
    <Facet spec={spec} grain={scope.grain} filter={filter} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)}>
      <FacetValues {...props} counts={counts} />
    </Facet>
  );
}

interface FacetProps extends PartProps {
  readonly grain: FilterGrain;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A heading that opens what is below it, with the number of values that the filter names. */
export function Facet({ spec, grain, filter, isOpen, onToggle, children }: FacetProps) {
  const bodyId = useId();
  const chosen = countChosen(grain, spec, filter);
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
