/**
 * Decides a condition on one row, exactly; every other way to decide it must agree with this one. Where a row has several
 * annotations of one name, one of them must fulfil the whole condition; where it has none, all of that name is missing.
 */
import { compileTest, type Test } from './compile.ts';
import { annotationKey, type Environment } from './environment.ts';
import { mentionsOf } from './mentions.ts';
import type { FilterSubject } from './subject.ts';
import type { AnnotationName, Condition } from './tree.ts';

/** Whether the condition holds of the subject. */
export function evaluate(condition: Condition, subject: FilterSubject): boolean {
  let decide = prepared.get(condition);
  if (decide === undefined) {
    decide = prepare(condition);
    prepared.set(condition, decide);
  }
  return decide(subject);
}

/**
 * How many annotations are tried in all for one row. A row has few of one name; only many names that are compared in one
 * condition, each with hundreds of annotations, come this far, and then what was not tried counts as not fulfilling it.
 */
const MAX_TRIED_ANNOTATIONS = 100_000;

const prepared = new WeakMap<Condition, (subject: FilterSubject) => boolean>();

function prepare(condition: Condition): (subject: FilterSubject) => boolean {
  if (mentionsOf(condition).annotations.length === 0) {
    const test = compileTest(condition);
    return (row) => test({ row, elements: null, annotations: new Map() });
  }
  const clause = clauseOf(condition);
  return (row) => new Choice({ row, elements: null, annotations: new Map() }).holds([clause]);
}

/** A part of a condition, with the annotations that it names. */
interface Clause {
  readonly kind: Condition['kind'];
  readonly names: ReadonlyMap<string, AnnotationName>;
  readonly test: Test;
  /** Of `and` and `or`. */
  readonly parts: readonly Clause[];
}

function clauseOf(condition: Condition): Clause {
  const isJoined = condition.kind === 'and' || condition.kind === 'or';
  return {
    kind: condition.kind,
    names: new Map(mentionsOf(condition).annotations.map((name) => [annotationKey(name), name])),
    test: compileTest(condition),
    parts: isJoined ? condition.operands.map(clauseOf) : [],
  };
}

/**
 * Chooses annotations so that clauses hold. Clauses that share no name are independent of each other, so that choices
 * multiply only among names that stand in one clause, or in clauses that a shared name ties together.
 */
class Choice {
  readonly #environment: Environment;
  #tried = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether all clauses hold, under what is chosen already and some choice of the rest. */
  holds(clauses: readonly Clause[]): boolean {
    const open: Clause[] = [];
    for (const clause of clauses) {
      if (this.#openNames(clause).length > 0) open.push(clause);
      else if (!clause.test(this.#environment)) return false;
    }
    return this.#independent(open).every((group) => this.#groupHolds(group));
  }

  #groupHolds(group: readonly Clause[]): boolean {
    const [first] = group;
    if (first !== undefined && group.length === 1) {
      if (first.kind === 'or') return first.parts.some((part) => this.holds([part]));
      if (first.kind === 'and') return this.holds(first.parts);
    }
    const name = this.#mostNamed(group);
    if (name === undefined) return true;
    const { row, annotations } = this.#environment;
    const key = annotationKey(name);
    const found = row.annotations?.(name) ?? [];
    for (const annotation of found.length === 0 ? [null] : found) {
      if (this.#tried++ >= MAX_TRIED_ANNOTATIONS) break;
      annotations.set(key, annotation);
      const holds = this.holds(group);
      annotations.delete(key);
      if (holds) return true;
    }
    return false;
  }

  #openNames({ names }: Clause): readonly string[] {
    return [...names.keys()].filter((key) => !this.#environment.annotations.has(key));
  }

  /** Clauses together that share open names, by one or by way of others. */
  #independent(clauses: readonly Clause[]): readonly (readonly Clause[])[] {
    const groups = new Map<string, Clause[]>();
    for (const clause of clauses) {
      const names = this.#openNames(clause);
      const [group = [], ...others] = new Set(names.flatMap((name) => [groups.get(name) ?? []]));
      for (const other of others) {
        group.push(...other);
        for (const [name, holder] of groups) if (holder === other) groups.set(name, group);
      }
      group.push(clause);
      for (const name of names) groups.set(name, group);
    }
    return [...new Set(groups.values())];
  }

  #mostNamed(group: readonly Clause[]): AnnotationName | undefined {
    const counts = new Map<string, number>();
    for (const clause of group) for (const key of this.#openNames(clause)) counts.set(key, (counts.get(key) ?? 0) + 1);
    const [most] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    return most === undefined ? undefined : group.find(({ names }) => names.has(most))?.names.get(most);
  }
}
