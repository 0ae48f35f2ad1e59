import type { JsonValue } from '#base/json';
import type { SentSource } from './sent-parts.ts';
import type { Trials } from './trials.ts';

/** What an output depends on. */
export interface Cause {
  /** Whether it needs each of the sources; else each of them would suffice alone. */
  readonly isNeeded: boolean;
  readonly sourceIds: ReadonlySet<string>;
}

/** By output; one whose sources were not found is left out. */
export type Causes = ReadonlyMap<string, Cause>;

/** What is known of a span before anything is tried. */
export interface Suspects {
  readonly outputs: ReadonlyMap<string, JsonValue>;
  /** Attributes whose values dialects asked for by their keys. */
  readonly looked: ReadonlySet<string>;
}

/**
 * Finds what each output needs; where it needs nothing by itself, because several sources say the same, each source that
 * would suffice alone.
 */
export function findCauses(trials: Trials, sources: readonly SentSource[], { outputs, looked }: Suspects): Causes {
  const causes = new Map<string, Cause & { readonly sourceIds: Set<string> }>();
  const note =
    (isNeeded: boolean) =>
    (key: string, { id }: SentSource) => {
      const cause = causes.get(key) ?? { isNeeded, sourceIds: new Set() };
      cause.sourceIds.add(id);
      causes.set(key, cause);
    };
  if (outputs.size === 0) return causes;
  const { asked = [], others = [] } = Object.groupBy(sources, ({ key }) =>
    key !== undefined && looked.has(key) ? 'asked' : 'others',
  );
  // Most of what nobody asked for matters to nothing, which one trial without all of it shows.
  const isAnyCause = tryWithout(trials, others, note(true));
  if (!isAnyCause && others.length > MANY) trials.leaveOut(new Set(others.map(({ id }) => id)));
  for (const source of asked) tryWithout(trials, [source], note(true));
  const open = [...outputs.keys()].filter((key) => !causes.has(key));
  if (open.length === 0) return causes;
  for (const source of [...asked, ...others]) {
    const same = trials.sameWithOnly(source.id);
    for (const key of open) if (same?.has(key) === true) note(false)(key, source);
  }
  return causes;
}

/** So many sources make each trial expensive. */
const MANY = 500;

/** Notes what depends on each of the sources, which are looked for by halves. Says whether anything does, as far as is known. */
function tryWithout(
  trials: Trials,
  sources: readonly SentSource[],
  note: (key: string, source: SentSource) => void,
): boolean {
  const [first] = sources;
  if (first === undefined) return false;
  const changed = trials.changedWithout(new Set(sources.map(({ id }) => id)));
  if (changed === undefined) return true;
  if (changed.length === 0) return false;
  if (sources.length === 1) {
    for (const key of changed) note(key, first);
    return true;
  }
  const middle = sources.length >> 1;
  tryWithout(trials, sources.slice(0, middle), note);
  tryWithout(trials, sources.slice(middle), note);
  return true;
}
