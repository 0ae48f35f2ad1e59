/** What suggestions are made of. */
import type { ElementCatalogue } from '../catalogue/catalogue.ts';
import type { FacetValue } from '../facet-terms.ts';
import type { AnnotationName, FilterGrain } from '../tree.ts';
import type { CursorContext } from './cursor-context.ts';

/** What is known of the data, for suggestions; all of it may be missing. */
export interface Observed {
  /** Dotted paths, those that are seen most first. */
  readonly attributePaths?: readonly string[];
  /** By field name or attribute path, those that are seen most first. */
  readonly values?: ReadonlyMap<string, readonly FacetValue[]>;
  readonly annotationNames?: Partial<Readonly<Record<AnnotationName['target'], readonly string[]>>>;
}

/** The syntax around the cursor, and what is known about its names. */
export interface Source {
  readonly grain: FilterGrain;
  readonly context: CursorContext;
  /** What the elements of the loops around are, by variable, the innermost first. */
  readonly elements: ReadonlyMap<string, ElementCatalogue>;
  readonly observed: Observed;
}
