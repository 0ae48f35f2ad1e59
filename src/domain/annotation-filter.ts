/** Which annotations of a target are meant: by name, source and author. */
import type { AnnotationSource } from './annotation.ts';

/** Conditions narrow each other; values of one are alternatives. An empty list holds for none. */
export interface AnnotationCondition {
  readonly names?: readonly string[] | undefined;
  readonly sources?: readonly AnnotationSource[] | undefined;
  /** `null` stands for annotations without a user. */
  readonly userRowIds?: readonly (number | null)[] | undefined;
}

/** Annotations for which every condition of `include` holds, and none of `exclude`. */
export interface AnnotationFilter {
  readonly include?: AnnotationCondition | undefined;
  readonly exclude?: AnnotationCondition | undefined;
}

/** What a filter asks about. */
interface Filtered {
  readonly name: string;
  readonly source: AnnotationSource;
  readonly userRowId: number | null;
}

/** Whether an annotation is meant. */
export function toPredicate(filter: AnnotationFilter): (annotation: Filtered) => boolean {
  const includes = checksOf(filter.include);
  const excludes = checksOf(filter.exclude);
  return (annotation) => includes.every((holds) => holds(annotation)) && !excludes.some((holds) => holds(annotation));
}

function checksOf({ names, sources, userRowIds }: AnnotationCondition = {}): readonly ((one: Filtered) => boolean)[] {
  const checks: ((one: Filtered) => boolean)[] = [];
  if (names !== undefined) {
    const wanted = new Set(names);
    checks.push(({ name }) => wanted.has(name));
  }
  if (sources !== undefined) {
    const wanted = new Set(sources);
    checks.push(({ source }) => wanted.has(source));
  }
  if (userRowIds !== undefined) {
    const wanted = new Set(userRowIds);
    checks.push(({ userRowId }) => wanted.has(userRowId));
  }
  return checks;
}
