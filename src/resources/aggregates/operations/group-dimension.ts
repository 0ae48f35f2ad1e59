/** What the rows of a grouped table have in common. */
import { AppError } from '#base/errors';
import { quoteText } from '#filter/lex-text';
import type { FilterGrain } from '#filter/tree';
import type { Dimension, DimensionValue, SessionDimension } from '#store/aggregates/port';
import { formatValueFilter, readDimensions } from './dimension.ts';

/** As the store reads it. */
export interface GroupDimension {
  readonly dimension: Dimension | SessionDimension;
  /** Whether it is the name of a trace's root span, for which filters of traces have no word. */
  readonly isRootName: boolean;
  /** Whether it is that of any span of a trace, of which there may be several. */
  readonly isOfAllSpans: boolean;
}

/** @throws AppError `invalid_argument` where it is no field of spans, and no attribute */
export function readGroupDimension(text: string, grain: 'span' | 'trace'): GroupDimension {
  if (grain === 'trace' && text === 'session') return { ...OF_ROOT, dimension: { kind: 'session' } };
  if (grain === 'trace' && text === 'name') return { ...OF_ROOT, dimension: ROOT_NAME, isRootName: true };
  if (grain === 'trace' && text === 'model_name') return { ...OF_ROOT, dimension: MODEL, isOfAllSpans: true };
  const [dimension] = readDimensions([text], 1, grain);
  if (dimension !== undefined && (grain === 'span' || dimension.kind === 'attribute')) {
    return { ...OF_ROOT, dimension };
  }
  throw new AppError(
    'invalid_argument',
    `Traces cannot be grouped by ${text}: name an attribute of the root span, such as user.id, or name, model_name or session.`,
  );
}

const OF_ROOT = { isRootName: false, isOfAllSpans: false } as const;
const MODEL: Dimension = { kind: 'field', name: 'model_name', of: null, isOfParent: false };
const ROOT_NAME: Dimension = { kind: 'field', name: 'name', of: null, isOfParent: false };

/** The filter that is true of the rows of a group; of a session the value is the id that spans name. */
export function formatGroupFilter(
  grain: FilterGrain,
  { dimension, isRootName, isOfAllSpans }: GroupDimension,
  value: DimensionValue,
): string {
  if (dimension.kind === 'session') {
    return value.value === null
      ? 'all(s.session_id is None for s in spans)'
      : `any(s.session_id == ${quoteText(String(value.value))} for s in spans)`;
  }
  if (isOfAllSpans) {
    if (value.value === null) return 'not any(s.model_name is not None for s in spans)';
    return `any(s.model_name == ${quoteText(String(value.value))} for s in spans)`;
  }
  if (!isRootName) return formatValueFilter(grain, dimension, value);
  if (value.value === null) return 'not any(s.parent_span is None for s in spans)';
  return `any(s.name == ${quoteText(String(value.value))} and s.parent_span is None for s in spans)`;
}
