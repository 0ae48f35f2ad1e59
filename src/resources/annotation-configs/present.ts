/** Annotation configs as both interfaces name them. */
import { formatGlobalId } from '#base/global-id';
import { type AnnotationConfig, typeOfConfig } from '#domain/annotation-config';

/** The global id of a config. */
export function formatConfigId(config: Pick<AnnotationConfig, 'kind' | 'rowId'>): string {
  return formatGlobalId(typeOfConfig(config), config.rowId);
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
