/** What an evaluator in code can return for annotations of a config, as examples to copy. */
import type { CategoricalConfigContent, ContinuousConfigContent } from './annotation-config.ts';

/** The language of the examples. */
export type ShapeExamplesLanguage = 'PYTHON' | 'TYPESCRIPT';

/** All forms, or the few that show the idea. */
export type ShapeExamplesMode = 'FULL' | 'CURATED';

interface Shape {
  readonly label?: string;
  readonly score?: number;
  readonly explanation?: string;
}

/** One text for each form of answer. */
export function shapeExamples(
  config: CategoricalConfigContent | ContinuousConfigContent,
  language: ShapeExamplesLanguage,
  mode: ShapeExamplesMode,
): readonly string[] {
  const shapes = config.kind === 'CATEGORICAL' ? shapesOfChoice(config) : shapesOfNumber(config);
  return (mode === 'FULL' ? shapes : shapes.slice(0, CURATED)).map((shape) => formatShape(shape, language));
}

const CURATED = 2;

function shapesOfChoice({ values }: CategoricalConfigContent): readonly Shape[] {
  const [first] = values;
  const shapes: Shape[] = values.map(({ label, score }) => (score === null ? { label } : { label, score }));
  return first === undefined ? shapes : [...shapes, { label: first.label, explanation: WHY }];
}

function shapesOfNumber({ lowerBound, upperBound }: ContinuousConfigContent): readonly Shape[] {
  const [least, most] = [lowerBound ?? Math.min(0, upperBound ?? 0), upperBound ?? Math.max(1, lowerBound ?? 1)];
  return [{ score: least }, { score: most }, { score: most, explanation: WHY }];
}

const WHY = 'Why the score is what it is.';

function formatShape(shape: Shape, language: ShapeExamplesLanguage): string {
  // JSON texts and numbers are literals of both languages.
  const fields = Object.entries(shape).map(([name, value]) => {
    const key = language === 'PYTHON' ? JSON.stringify(name) : name;
    return `${key}: ${JSON.stringify(value)}`;
  });
  return language === 'PYTHON' ? `{${fields.join(', ')}}` : `{ ${fields.join(', ')} }`;
}
