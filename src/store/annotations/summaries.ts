/** What annotations of a name come to: a target with many of them counts as much as one with few. */
import { compareTexts } from '#filter/compare';

/** Of a name. */
export interface AnnotationSummary {
  readonly name: string;
  /** Annotations that have a score or a label. */
  readonly count: number;
  readonly scoreCount: number;
  readonly labelCount: number;
  /** Mean of the means of the targets; `null` without a score. */
  readonly meanScore: number | null;
  /** Means of the shares that labels have of the labels of a target, largest first; together 1. */
  readonly labelFractions: readonly LabelFraction[];
}

/** A label, its share, and how many targets have it. */
export interface LabelFraction {
  readonly label: string;
  readonly fraction: number;
  readonly targetCount: number;
}

/** What an annotation says. */
export interface Said {
  readonly name: string;
  readonly score: number | null;
  readonly label: string | null;
}

/** Annotations of many targets, summed up by name. */
export class AnnotationTally {
  readonly #names = new Map<string, NameTally>();

  /** Adds what the annotations of a target say. */
  add(ofTarget: readonly Said[]): void {
    const [first] = ofTarget;
    if (first !== undefined && ofTarget.every(({ name }) => name === first.name)) this.#of(first.name).add(ofTarget);
    else for (const [name, said] of Map.groupBy(ofTarget, (one) => one.name)) this.#of(name).add(said);
  }

  /** By name, of those that have a score or a label. */
  read(): readonly AnnotationSummary[] {
    return [...this.#names]
      .flatMap(([name, tally]) => tally.read(name) ?? [])
      .sort((a, b) => compareTexts(a.name, b.name));
  }

  #of(name: string): NameTally {
    let tally = this.#names.get(name);
    if (tally === undefined) {
      tally = new NameTally();
      this.#names.set(name, tally);
    }
    return tally;
  }
}

/** Annotations of one name. */
class NameTally {
  #count = 0;
  #scoreCount = 0;
  #labelCount = 0;
  #scoredTargets = 0;
  #meanSum = 0;
  #labelledTargets = 0;
  readonly #shares = new Map<string, { share: number; targetCount: number }>();

  add(ofTarget: readonly Said[]): void {
    let [sum, scores, labels] = [0, 0, 0];
    for (const { score, label } of ofTarget) {
      if (score === null && label === null) continue;
      this.#count++;
      if (label !== null) labels++;
      if (score === null) continue;
      scores++;
      sum += score;
    }
    this.#scoreCount += scores;
    this.#labelCount += labels;
    if (scores > 0) {
      this.#scoredTargets++;
      this.#meanSum += sum / scores;
    }
    if (labels === 0) return;
    this.#labelledTargets++;
    const seen = new Set<string>();
    for (const { label } of ofTarget) {
      if (label === null) continue;
      const of = this.#shares.get(label) ?? { share: 0, targetCount: 0 };
      this.#shares.set(label, of);
      of.share += 1 / labels;
      if (!seen.has(label)) of.targetCount++;
      seen.add(label);
    }
  }

  read(name: string): AnnotationSummary | undefined {
    if (this.#count === 0) return undefined;
    return {
      name,
      count: this.#count,
      scoreCount: this.#scoreCount,
      labelCount: this.#labelCount,
      meanScore: this.#scoredTargets === 0 ? null : this.#meanSum / this.#scoredTargets,
      labelFractions: [...this.#shares]
        .map(([label, { share, targetCount }]) => ({ label, fraction: share / this.#labelledTargets, targetCount }))
        .sort((a, b) => b.fraction - a.fraction || compareTexts(a.label, b.label)),
    };
  }
}
