/** Names of annotations with how many there are, as the config of a project lists them. */

/** What annotations of a name are about. */
export type CountedTarget = 'span' | 'trace' | 'session' | 'document';

/** All annotations of a name on one kind of target. */
export interface CountedName {
  readonly target: CountedTarget;
  readonly name: string;
  readonly count: number;
}

/** The name that notes have among annotations. */
const NOTE = 'note';

type Counts = readonly { readonly name: string; readonly count: number }[];

/** By name, those of one name from spans to documents; notes come last. */
export function sortNames(counts: Readonly<Record<CountedTarget, Counts>>): readonly CountedName[] {
  const targets = ['span', 'trace', 'session', 'document'] as const;
  const names = targets.flatMap((target) => counts[target].map(({ name, count }) => ({ target, name, count })));
  return names.toSorted(
    (one, other) => Number(one.name === NOTE) - Number(other.name === NOTE) || one.name.localeCompare(other.name, 'en'),
  );
}

/** What a name is called. */
export function titleOfName({ name }: Pick<CountedName, 'name'>): string {
  return name === NOTE ? 'Notes' : name;
}

/** What is counted, in the middle of a sentence: `12 annotations “tone” on spans`. */
export function describeNamed({ target, name }: Pick<CountedName, 'target' | 'name'>, count: number): string {
  const noun = name === NOTE ? 'note' : 'annotation';
  const which = name === NOTE ? '' : ` “${name}”`;
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}${which} on ${target}s`;
}
