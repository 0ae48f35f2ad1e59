/** Annotation configs: what annotations of a name may say, and what people are offered when they annotate. */
import { AppError } from '#base/errors';

/** What a config lets annotations say: one of several labels, a number, or anything. */
export type AnnotationConfigKind = 'CATEGORICAL' | 'CONTINUOUS' | 'FREEFORM';

/** Which scores are the better ones. */
export type OptimizationDirection = (typeof OPTIMIZATION_DIRECTIONS)[number];

/** In the order in which they are offered. */
export const OPTIMIZATION_DIRECTIONS = ['MAXIMIZE', 'MINIMIZE', 'NONE'] as const;

/** A label, and the score that goes with it. */
export interface CategoricalValue {
  readonly label: string;
  readonly score: number | null;
}

interface ConfigBase {
  /** Of the annotations that it is for; unique among configs. */
  readonly name: string;
  readonly description: string | null;
  /** Whether annotations of the name that say something else are refused. */
  readonly isStrict: boolean;
}

interface Bounds {
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
}

/** A choice of labels. */
export interface CategoricalConfigContent extends ConfigBase {
  readonly kind: 'CATEGORICAL';
  readonly direction: OptimizationDirection;
  readonly values: readonly CategoricalValue[];
}

/** A number between two bounds, each of which may be absent. */
export interface ContinuousConfigContent extends ConfigBase, Bounds {
  readonly kind: 'CONTINUOUS';
  readonly direction: OptimizationDirection;
}

/** A text, with which a score may come. */
export interface FreeformConfigContent extends ConfigBase, Bounds {
  readonly kind: 'FREEFORM';
  readonly direction: OptimizationDirection | null;
  /** Tells good scores from bad ones. */
  readonly threshold: number | null;
}

/** What people say of a config. */
export type AnnotationConfigContent = CategoricalConfigContent | ContinuousConfigContent | FreeformConfigContent;

interface Stored {
  readonly rowId: number;
}

/** A stored choice of labels. */
export type CategoricalConfig = CategoricalConfigContent & Stored;
/** A stored config of a number. */
export type ContinuousConfig = ContinuousConfigContent & Stored;
/** A stored config of a text. */
export type FreeformConfig = FreeformConfigContent & Stored;
/** A config as stored. */
export type AnnotationConfig = CategoricalConfig | ContinuousConfig | FreeformConfig;

/** The type of a config's global id, which goes with its kind. */
export const CONFIG_TYPES = {
  CATEGORICAL: 'CategoricalAnnotationConfig',
  CONTINUOUS: 'ContinuousAnnotationConfig',
  FREEFORM: 'FreeformAnnotationConfig',
} as const satisfies Readonly<Record<AnnotationConfigKind, string>>;

/** The type of this one. */
export function typeOfConfig({ kind }: { readonly kind: AnnotationConfigKind }) {
  return CONFIG_TYPES[kind];
}

/** The name under which notes are kept; no config can have it. */
const NOTE_NAME = 'note';

/** Something wrong with a config. */
export interface ConfigFault {
  readonly field: 'name' | 'description' | 'values' | 'lowerBound' | 'upperBound' | 'threshold';
  /** Of the value that is at fault; absent where it is all of them, or none. */
  readonly index?: number;
  readonly message: string;
}

/** Every fault, in the order of the fields. Texts are expected without white space around them, see {@link checkConfig}. */
export function faultsOfConfig(content: AnnotationConfigContent): readonly ConfigFault[] {
  return [
    ...faultsOfName(content.name),
    ...faultsOfDescription(content.description),
    ...(content.kind === 'CATEGORICAL' ? faultsOfValues(content.values) : faultsOfNumbers(content)),
  ];
}

/** The content as it is stored. @throws AppError `invalid_argument` with the first fault, `already_exists` for the reserved name */
export function checkConfig(content: AnnotationConfigContent): AnnotationConfigContent {
  const trimmed = trimConfig(content);
  const [fault] = faultsOfConfig(trimmed);
  if (fault === undefined) return trimmed;
  throw new AppError(fault.message === RESERVED ? 'already_exists' : 'invalid_argument', fault.message);
}

/** The content without white space around its texts; an empty description is none. */
export function trimConfig(content: AnnotationConfigContent): AnnotationConfigContent {
  const description = content.description?.trim() ?? '';
  const texts = { name: content.name.trim(), description: description === '' ? null : description };
  if (content.kind !== 'CATEGORICAL') return { ...content, ...texts };
  return { ...content, ...texts, values: content.values.map(({ label, score }) => ({ label: label.trim(), score })) };
}

/**
 * Why a strict config refuses an annotation of its name, for the annotator to read; `null` where it does not, as of a config
 * that is not strict.
 */
export function checkAgainstConfig(
  config: AnnotationConfigContent,
  { label, score }: { readonly label: string | null; readonly score: number | null },
): string | null {
  if (!config.isStrict) return null;
  const fault =
    config.kind === 'CATEGORICAL' ? faultOfChoice(config.values, label, score) : faultOfScore(config, score);
  return fault && `The annotation config ${JSON.stringify(config.name)} is strict: ${fault}`;
}

function faultOfChoice(values: readonly CategoricalValue[], label: string | null, score: number | null): string | null {
  const quoted = JSON.stringify(label?.slice(0, MAX_LABEL_LENGTH));
  const fitting = label === null ? values : values.filter((value) => value.label === label);
  if (fitting.length === 0) return `the label ${quoted} is not one of ${listLabels(values)}.`;
  if (score === null || fitting.some((value) => value.score === score)) return null;
  if (label === null) return `the score ${score} belongs to none of ${listLabels(values)}.`;
  const own = fitting[0]?.score ?? null;
  return own === null ? `the label ${quoted} has no score.` : `the score of the label ${quoted} is ${own}.`;
}

function listLabels(values: readonly CategoricalValue[]): string {
  const listed = values.slice(0, MAX_LISTED).map(({ label }) => JSON.stringify(label));
  return `its labels ${listed.join(', ')}${values.length > MAX_LISTED ? ', …' : ''}`;
}

function faultOfScore({ lowerBound, upperBound }: Bounds, score: number | null): string | null {
  if (score === null) return null;
  if (lowerBound !== null && score < lowerBound) return `a score must be at least ${lowerBound}.`;
  return upperBound !== null && score > upperBound ? `a score must be at most ${upperBound}.` : null;
}

function faultsOfName(name: string): readonly ConfigFault[] {
  const fault = (message: string): readonly ConfigFault[] => [{ field: 'name', message }];
  if (!VISIBLE.test(name)) return fault('An annotation config needs a name.');
  if (name === NOTE_NAME) return fault(RESERVED);
  if (name.length > MAX_NAME_LENGTH) return fault(`A name has at most ${MAX_NAME_LENGTH} characters.`);
  return UNPRINTABLE.test(name) ? fault('A name cannot have control characters.') : [];
}

function faultsOfDescription(description: string | null): readonly ConfigFault[] {
  const text = description ?? '';
  if (text.length > MAX_DESCRIPTION_LENGTH)
    return [{ field: 'description', message: `A description has at most ${MAX_DESCRIPTION_LENGTH} characters.` }];
  return UNPRINTABLE_IN_LINES.test(text)
    ? [{ field: 'description', message: 'A description cannot have control characters.' }]
    : [];
}

function faultsOfValues(values: readonly CategoricalValue[]): readonly ConfigFault[] {
  if (values.length === 0) return [{ field: 'values', message: 'A categorical config needs at least one label.' }];
  if (values.length > MAX_VALUES)
    return [{ field: 'values', message: `A categorical config has at most ${MAX_VALUES} labels.` }];
  const seen = new Set<string>();
  const faults: ConfigFault[] = [];
  for (const [index, { label, score }] of values.entries()) {
    const message = faultOfLabel(label, seen) ?? (isNumber(score) ? undefined : NO_NUMBER);
    seen.add(label);
    if (message !== undefined) faults.push({ field: 'values', index, message });
  }
  return faults;
}

function faultOfLabel(label: string, seen: ReadonlySet<string>): string | undefined {
  if (!VISIBLE.test(label)) return 'A label cannot be empty.';
  if (label.length > MAX_LABEL_LENGTH) return `A label has at most ${MAX_LABEL_LENGTH} characters.`;
  if (UNPRINTABLE.test(label)) return 'A label cannot have control characters.';
  return seen.has(label) ? `The label ${JSON.stringify(label)} occurs twice: each must be different.` : undefined;
}

function faultsOfNumbers(content: ContinuousConfigContent | FreeformConfigContent): readonly ConfigFault[] {
  const { lowerBound, upperBound } = content;
  const numbers = { lowerBound, upperBound, threshold: content.kind === 'FREEFORM' ? content.threshold : null };
  const faults: ConfigFault[] = [];
  for (const field of ['lowerBound', 'upperBound', 'threshold'] as const)
    if (!isNumber(numbers[field])) faults.push({ field, message: NO_NUMBER });
  if (faults.length === 0 && lowerBound !== null && upperBound !== null && lowerBound >= upperBound)
    faults.push({ field: 'upperBound', message: 'The upper bound must be greater than the lower bound.' });
  return faults;
}

function isNumber(value: number | null): boolean {
  return value === null || Number.isFinite(value);
}

const RESERVED = `The name ${NOTE_NAME} is reserved for notes: choose another name.`;
const NO_NUMBER = 'Enter a number.';

/** Configs of a server. */
export const MAX_CONFIGS = 1000;
/** In characters, as the next. */
export const MAX_NAME_LENGTH = 200;
/** Of a description, in characters. */
export const MAX_DESCRIPTION_LENGTH = 10_000;
/** Of a label, in characters. */
export const MAX_LABEL_LENGTH = 200;
/** Labels of a config. */
export const MAX_VALUES = 200;
/** Labels that a refusal names. */
const MAX_LISTED = 10;

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Control characters, halves of characters, and line breaks. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** The same but for the line breaks and tabs of a longer text. */
const UNPRINTABLE_IN_LINES = /\p{Cs}|[^\P{Cc}\n\r\t]/u;
