/** Annotation configs as pages show them. */
import type { AnnotationConfig, AnnotationConfigKind, OptimizationDirection } from '#domain/annotation-config';

/** What people call the kinds, in the order in which they are offered. */
export const CONFIG_KINDS = [
  { id: 'CATEGORICAL', label: 'Categorical' },
  { id: 'CONTINUOUS', label: 'Continuous' },
  { id: 'FREEFORM', label: 'Freeform' },
] as const satisfies readonly { readonly id: AnnotationConfigKind; readonly label: string }[];

/** The name of a kind. */
export function kindName(kind: string): string {
  return CONFIG_KINDS.find(({ id }) => id === kind)?.label ?? kind;
}

type WithId<Config> = Config extends unknown ? Omit<Config, 'rowId'> & { readonly id: string } : never;

/** A config with the id that the API knows it by. */
export type ShownConfig = WithId<AnnotationConfig>;

/** A config as the API answers it: fields of other kinds are absent. */
interface AnsweredConfig {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly annotationType?: string | undefined;
  readonly isStrict?: boolean | undefined;
  readonly optimizationDirection?: string | undefined;
  readonly values?: readonly { readonly label: string; readonly score?: number | null | undefined }[] | undefined;
  readonly lowerBound?: number | null | undefined;
  readonly upperBound?: number | null | undefined;
  readonly threshold?: number | null | undefined;
}

/** A config as the API answers it; undefined for a kind that this page does not know. */
export function toShownConfig(answered: AnsweredConfig): ShownConfig | undefined {
  const { id = '', name = '', description = null, isStrict = false } = answered;
  const base = { id, name, description, isStrict, direction: toDirection(answered.optimizationDirection) };
  const bounds = { lowerBound: answered.lowerBound ?? null, upperBound: answered.upperBound ?? null };
  switch (answered.annotationType) {
    case 'CATEGORICAL': {
      const values = (answered.values ?? []).map(({ label, score }) => ({ label, score: score ?? null }));
      return { ...base, kind: 'CATEGORICAL', values };
    }
    case 'CONTINUOUS':
      return { ...base, kind: 'CONTINUOUS', ...bounds };
    case 'FREEFORM':
      return { ...base, kind: 'FREEFORM', threshold: answered.threshold ?? null, ...bounds };
    default:
      return undefined;
  }
}

function toDirection(direction: string | undefined): OptimizationDirection {
  return direction === 'MAXIMIZE' || direction === 'MINIMIZE' ? direction : 'NONE';
}

/** What annotations can say, on a line: `correct (1), wrong (0)` or `0 to 10`. */
export function describeConfig(config: ShownConfig): string {
  switch (config.kind) {
    case 'CATEGORICAL':
      return config.values.map(({ label, score }) => (score === null ? label : `${label} (${score})`)).join(', ');
    case 'CONTINUOUS':
      return describeBounds(config) ?? 'any number';
    case 'FREEFORM': {
      const bounds = describeBounds(config);
      return bounds === undefined ? 'any text' : `any text, scores ${bounds}`;
    }
  }
}

function describeBounds({
  lowerBound,
  upperBound,
}: {
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
}): string | undefined {
  if (lowerBound !== null && upperBound !== null) return `${lowerBound} to ${upperBound}`;
  if (lowerBound !== null) return `${lowerBound} or more`;
  return upperBound === null ? undefined : `${upperBound} or less`;
}
