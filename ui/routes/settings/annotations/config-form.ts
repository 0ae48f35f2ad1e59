/** An annotation config as the fields of a form. */
import {
  type AnnotationConfigContent,
  type AnnotationConfigKind,
  type ConfigFault,
  faultsOfConfig,
  type OptimizationDirection,
  trimConfig,
} from '#domain/annotation-config';
import type { ShownConfig } from '../../annotation-configs/shown-config.ts';

/** A label and its score, as typed. */
export interface ValueText {
  /** Tells rows of the form apart. */
  readonly id: number;
  readonly label: string;
  readonly score: string;
}

/** What stands in the fields; those of other kinds keep what was typed. */
export interface ConfigText {
  readonly kind: AnnotationConfigKind;
  readonly name: string;
  readonly description: string;
  readonly direction: OptimizationDirection;
  readonly isStrict: boolean;
  readonly values: readonly ValueText[];
  readonly lowerBound: string;
  readonly upperBound: string;
  readonly threshold: string;
}

const EMPTY: ConfigText = {
  kind: 'CATEGORICAL',
  name: '',
  description: '',
  direction: 'MAXIMIZE',
  isStrict: false,
  values: [
    { id: 0, label: '', score: '' },
    { id: 1, label: '', score: '' },
  ],
  lowerBound: '',
  upperBound: '',
  threshold: '',
};

/** The fields of a config; those of a new one without. */
export function writeConfig(config: ShownConfig | undefined): ConfigText {
  if (config === undefined) return EMPTY;
  const { kind, name, description, direction, isStrict } = config;
  const text = { ...EMPTY, kind, name, description: description ?? '', direction: direction ?? 'NONE', isStrict };
  if (kind === 'CATEGORICAL') {
    const values = config.values.map(({ label, score }, id) => ({ id, label, score: writeNumber(score) }));
    return { ...text, values };
  }
  const [lowerBound, upperBound] = [writeNumber(config.lowerBound), writeNumber(config.upperBound)];
  const threshold = kind === 'FREEFORM' ? writeNumber(config.threshold) : '';
  return { ...text, lowerBound, upperBound, threshold };
}

/** The fields with one more label. */
export function withValue(values: readonly ValueText[]): readonly ValueText[] {
  return [...values, { id: Math.max(-1, ...values.map(({ id }) => id)) + 1, label: '', score: '' }];
}

/** What the server is sent, and every fault of what was typed. */
export function readConfig(text: ConfigText): {
  readonly content: AnnotationConfigContent;
  readonly faults: readonly ConfigFault[];
} {
  const content = trimConfig(toContent(text));
  return { content, faults: faultsOfConfig(content) };
}

function toContent(text: ConfigText): AnnotationConfigContent {
  const { kind, name, description, direction, isStrict } = text;
  const base = { name, description, direction, isStrict };
  if (kind === 'CATEGORICAL') {
    return { ...base, kind, values: text.values.map(({ label, score }) => ({ label, score: readNumber(score) })) };
  }
  const bounds = { lowerBound: readNumber(text.lowerBound), upperBound: readNumber(text.upperBound) };
  if (kind === 'CONTINUOUS') return { ...base, kind, ...bounds };
  return { ...base, kind, threshold: readNumber(text.threshold), ...bounds };
}

/** The argument of the mutations. */
export function toConfigInput(content: AnnotationConfigContent) {
  const { name, description, isStrict } = content;
  const base = { name, description, isStrict, optimizationDirection: content.direction ?? 'NONE' };
  if (content.kind === 'CATEGORICAL') return { categorical: { ...base, values: content.values } };
  const { lowerBound, upperBound } = content;
  const numbers = { lowerBound, upperBound };
  return content.kind === 'CONTINUOUS'
    ? { continuous: { ...base, ...numbers } }
    : { freeform: { ...base, ...numbers, threshold: content.threshold } };
}

function writeNumber(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Null for an empty field; not a number for a text that is none. */
function readNumber(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
