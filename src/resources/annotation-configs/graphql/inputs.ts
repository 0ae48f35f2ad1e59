/** What a change of an annotation config is given. */
import type { Builder } from '#api/graphql/builder';
import type { AnnotationConfigContent, CategoricalValue, OptimizationDirection } from '#domain/annotation-config';

type Optional<Value> = Value | null | undefined;

interface BaseInput {
  readonly name: string;
  readonly description?: Optional<string>;
  readonly isStrict?: Optional<boolean>;
}

interface BoundsInput {
  readonly lowerBound?: Optional<number>;
  readonly upperBound?: Optional<number>;
}

interface CategoricalInput extends BaseInput {
  readonly optimizationDirection: OptimizationDirection;
  readonly values: readonly { readonly label: string; readonly score?: Optional<number> }[];
}

interface ContinuousInput extends BaseInput, BoundsInput {
  readonly optimizationDirection: OptimizationDirection;
}

interface FreeformInput extends BaseInput, BoundsInput {
  readonly optimizationDirection?: Optional<OptimizationDirection>;
  readonly threshold?: Optional<number>;
}

/** Exactly one of them is there. */
interface ConfigInput {
  readonly categorical?: Optional<CategoricalInput>;
  readonly continuous?: Optional<ContinuousInput>;
  readonly freeform?: Optional<FreeformInput>;
}

type InputFields = Parameters<Parameters<Builder['inputType']>[1]['fields']>[0];

/** Adds the input of a config, one member for each kind. */
export function addConfigInput(builder: Builder) {
  const base = (t: InputFields) => ({
    name: t.string({ required: true }),
    description: t.string(),
    isStrict: t.boolean({ description: 'Refuses annotations of the name with other labels or scores.' }),
  });
  const bounds = (t: InputFields) => ({ lowerBound: t.float(), upperBound: t.float() });
  const direction = (t: InputFields) => ({
    optimizationDirection: t.field({ type: 'OptimizationDirection', required: true }),
  });
  const value = builder.inputType('CategoricalAnnotationConfigValueInput', {
    fields: (t) => ({ label: t.string({ required: true }), score: t.float() }),
  });
  const categorical = builder.inputType('CategoricalAnnotationConfigInput', {
    fields: (t) => ({ ...base(t), ...direction(t), values: t.field({ type: [value], required: true }) }),
  });
  const continuous = builder.inputType('ContinuousAnnotationConfigInput', {
    fields: (t) => ({ ...base(t), ...direction(t), ...bounds(t) }),
  });
  const freeform = builder.inputType('FreeformAnnotationConfigInput', {
    fields: (t) => ({
      ...base(t),
      optimizationDirection: t.field({ type: 'OptimizationDirection' }),
      threshold: t.float(),
      ...bounds(t),
    }),
  });
  return builder.inputType('AnnotationConfigInput', {
    isOneOf: true,
    fields: (t) => ({
      categorical: t.field({ type: categorical }),
      continuous: t.field({ type: continuous }),
      freeform: t.field({ type: freeform }),
    }),
  });
}

/** What the input says. */
export function toContent({ categorical, continuous, freeform }: ConfigInput): AnnotationConfigContent {
  if (categorical != null) {
    const { optimizationDirection: direction, values } = categorical;
    return { ...toBase(categorical), kind: 'CATEGORICAL', direction, values: values.map(toValue) };
  }
  if (continuous != null) {
    const { optimizationDirection: direction } = continuous;
    return { ...toBase(continuous), kind: 'CONTINUOUS', direction, ...toBounds(continuous) };
  }
  const given = freeform ?? { name: '' };
  const direction = given.optimizationDirection ?? null;
  const threshold = given.threshold ?? null;
  return { ...toBase(given), kind: 'FREEFORM', direction, threshold, ...toBounds(given) };
}

function toBase({ name, description, isStrict }: BaseInput) {
  return { name, description: description ?? null, isStrict: isStrict ?? false };
}

function toBounds({ lowerBound, upperBound }: BoundsInput) {
  return { lowerBound: lowerBound ?? null, upperBound: upperBound ?? null };
}

function toValue({ label, score }: CategoricalInput['values'][number]): CategoricalValue {
  return { label, score: score ?? null };
}
