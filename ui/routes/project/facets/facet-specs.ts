/** What the rows of tables are told apart by in the panel of facets. */
import { formatAttribute } from '#filter/format';
import { quoteText } from '#filter/lex-text';
import type { FilterGrain } from '#filter/tree';

/** A facet; `by` is its name in filters. */
export interface FacetSpec {
  readonly by: string;
  readonly title: string;
  readonly kind: 'values' | 'number';
  /** Values that are shown at first, where it is not {@link FIRST_VALUES}. */
  readonly first?: number | undefined;
  /** How its values are drawn. */
  readonly look?: 'kind' | 'status' | 'duration' | 'cost' | 'score' | undefined;
}

/** Values that are shown of a facet until somebody asks for more. */
export const FIRST_VALUES = 6;

const USER: FacetSpec = { by: 'user.id', title: 'User', kind: 'values' };
const COST: FacetSpec = { by: 'total_cost', title: 'Cost', kind: 'number', look: 'cost' };

/** Facets that every project has, in their order. Those of traces and sessions are their amounts, and what roots say. */
export const FACETS: Readonly<Record<FilterGrain, readonly FacetSpec[]>> = {
  span: [
    { by: 'span_kind', title: 'Kind', kind: 'values', look: 'kind', first: 12 },
    { by: 'status_code', title: 'Status', kind: 'values', look: 'status' },
    { by: 'name', title: 'Name', kind: 'values' },
    { by: 'model_name', title: 'Model', kind: 'values' },
    { by: 'llm.provider', title: 'Provider', kind: 'values' },
    { by: 'latency_ms', title: 'Latency', kind: 'number', look: 'duration' },
    { by: 'llm.token_count.total', title: 'Tokens', kind: 'number' },
    COST,
    USER,
    { by: 'session.id', title: 'Session', kind: 'values' },
  ],
  trace: [
    { by: 'latency_ms', title: 'Latency', kind: 'number', look: 'duration' },
    { by: 'error_count', title: 'Failed spans', kind: 'number' },
    { by: 'num_spans', title: 'Spans', kind: 'number' },
    { by: 'token_count_total', title: 'Tokens', kind: 'number' },
    COST,
    USER,
    { by: formatAttribute('trace', 'session.id'), title: 'Session', kind: 'values' },
  ],
  session: [
    { by: 'duration_ms', title: 'Duration', kind: 'number', look: 'duration' },
    { by: 'num_traces', title: 'Traces', kind: 'number' },
    { by: 'token_count_total', title: 'Tokens', kind: 'number' },
    COST,
    USER,
  ],
};

/** Facets of the labels of annotations, and of their scores. */
export function annotationFacets(grain: FilterGrain, names: readonly string[]): readonly AnnotationFacetSpec[] {
  const annotations = grain === 'span' ? 'annotations' : `${grain}_annotations`;
  return names.map((name) => {
    const annotation = `${annotations}[${quoteText(name)}]`;
    const score = { by: `${annotation}.score`, title: `Score of ${name}`, kind: 'number', look: 'score' } as const;
    return { by: `${annotation}.label`, title: name, kind: 'values', name, score };
  });
}

/** A facet of annotations of a name. */
export interface AnnotationFacetSpec extends FacetSpec {
  readonly name: string;
  readonly score: FacetSpec;
}

/** Facets of the attributes that were observed; long texts and what has a facet already are left out. */
export function attributeFacets(grain: FilterGrain, paths: readonly string[]): readonly FacetSpec[] {
  return paths
    .filter((path) => !UNFIT.test(path))
    .map((path): FacetSpec => ({ by: formatAttribute(grain, path), title: path, kind: 'values' }))
    .filter(({ by }) => !FACETS[grain].some((known) => known.by === by));
}

/** Contents, which hardly any two rows share, elements of lists, and what a facet says under another name. */
const UNFIT =
  /\.\d+(\.|$)|^(input|output)\.value$|^(openinference\.span\.kind|metadata)$|^(llm|embedding|reranker)\.model_name$/;
