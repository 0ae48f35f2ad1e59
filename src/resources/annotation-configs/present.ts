/** Annotation configs as both interfaces name them. */
import { formatGlobalId, parseGlobalId } from '#base/global-id';
import type { AnnotationConfig, AnnotationConfigKind } from '#domain/annotation-config';

/** The type of a config's global id, which goes with its kind. */
export const CONFIG_TYPES = {
  CATEGORICAL: 'CategoricalAnnotationConfig',
  CONTINUOUS: 'ContinuousAnnotationConfig',
  FREEFORM: 'FreeformAnnotationConfig',
} as const satisfies Readonly<Record<AnnotationConfigKind, string>>;

/** The type of this one. */
export function typeOfConfig({ kind }: Pick<AnnotationConfig, 'kind'>) {
  return CONFIG_TYPES[kind];
}

/** Its global id. */
export function formatConfigId(config: Pick<AnnotationConfig, 'kind' | 'rowId'>): string {
  return formatGlobalId(typeOfConfig(config), config.rowId);
}

/** The row id of an id of any kind: a config whose kind changed is found by the ids that it had. */
export function parseConfigId(id: string): number | undefined {
  for (const type of Object.values(CONFIG_TYPES)) {
    const rowId = parseGlobalId(type, id);
    if (rowId !== undefined) return rowId;
  }
  return undefined;
}

/** A config as REST answers it. */
export function presentConfig(config: AnnotationConfig) {
  const { name, description, direction } = config;
  const head = {
    id: formatConfigId(config),
    type: config.kind,
    name,
    description,
    optimization_direction: direction,
    is_strict: config.isStrict,
  };
  if (config.kind === 'CATEGORICAL') return { ...head, values: config.values };
  const bounds = { lower_bound: config.lowerBound, upper_bound: config.upperBound };
  return config.kind === 'CONTINUOUS' ? { ...head, ...bounds } : { ...head, threshold: config.threshold, ...bounds };
}
