/**
 * From the environment and the flags of the command line to the values of the table. Nothing is thrown: every problem is
 * collected, so that all of them are shown at once.
 */
import { flagName, type Values, variables } from './env.ts';
import { findNearestName } from './nearest-name.ts';
import { isOfProvider, isUnsupportedName } from './unsupported-names.ts';
import { Refusal } from './values.ts';
import { PREFIX, type Variable } from './variable.ts';

/** Something that stops the start: the variable or flag as the user wrote it, and what is wrong and to be done. */
export interface Problem {
  readonly variable: string;
  readonly message: string;
}

/** An environment, such as that of the process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The flags given on the command line, by their names with the dashes. */
export type Flags = Readonly<Record<string, string | undefined>>;

/** What an environment says. A variable with a problem has its default among the values. */
export interface Environment {
  readonly values: Values;
  /** How the user spelled each variable that is set; the prefixed name of every other. */
  readonly spelling: Readonly<Record<keyof Values, string>>;
  readonly isSet: (key: keyof Values) => boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Reads every variable of the table. Flags win over `SERVICE_` names, and these over aliases; empty text is unset. */
export function readEnvironment(env: EnvironmentVariables, flags: Flags): Environment {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const values: Record<string, unknown> = {};
  const spelling: Record<string, string> = {};
  const setKeys = new Set<string>();

  for (const [key, variable] of Object.entries<Variable<unknown>>(variables)) {
    const read = readVariable(variable, env, { flags, problems, warnings });
    spelling[key] = read.spelling;
    if (read.isSet) setKeys.add(key);
    values[key] = read.value;
  }
  warnings.push(...warnAboutNames(env));
  return {
    values: values as unknown as Values,
    spelling: spelling as Record<keyof Values, string>,
    isSet: (key) => setKeys.has(key),
    problems,
    warnings,
  };
}

/** What reading one variable gives. */
export interface ReadVariable<Value> {
  /** Its default where it has a problem. */
  readonly value: Value;
  /** See {@link Environment.spelling}. */
  readonly spelling: string;
  readonly isSet: boolean;
}

/** Reads one variable, and adds to what is wrong. */
export function readVariable(
  variable: Variable<unknown>,
  env: EnvironmentVariables,
  { flags = {}, problems, warnings }: { flags?: Flags; problems: Problem[]; warnings: string[] },
): ReadVariable<unknown> {
  const given = findGiven(variable, env, flags, warnings);
  return {
    value: readValue(variable, given, problems),
    spelling: given?.name ?? PREFIX + variable.name,
    isSet: given !== undefined,
  };
}

/** What a text of the environment says; `undefined` where it is as good as unset. */
interface Given {
  readonly name: string;
  readonly text: string;
}

function findGiven(
  variable: Variable<unknown>,
  env: EnvironmentVariables,
  flags: Flags,
  warnings: string[],
): Given | undefined {
  const flag = flagName(variable);
  const onCommandLine = flag === undefined ? undefined : given(flag, flags[flag]);
  if (onCommandLine !== undefined) return onCommandLine;

  const name = PREFIX + variable.name;
  const own = given(name, env[name]);
  const other = variable.alias === undefined ? undefined : given(variable.alias, env[variable.alias]);
  if (own !== undefined && other !== undefined && own.text !== other.text) {
    warnings.push(`${own.name} and ${other.name} differ; ${own.name} is used.`);
  }
  return own ?? other;
}

function given(name: string, text: string | undefined): Given | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : { name, text: trimmed };
}

function readValue(variable: Variable<unknown>, given: Given | undefined, problems: Problem[]): unknown {
  if (given !== undefined) {
    const parsed = variable.type.parse(given.text);
    if (!(parsed instanceof Refusal)) return parsed;
    const shown = variable.isSecret === true ? 'is not accepted' : `is ${quote(given.text)}`;
    problems.push({ variable: given.name, message: `${shown}: ${parsed.fix}` });
  }
  return variable.default === undefined ? undefined : variable.type.parse(variable.default);
}

/**
 * The text as one short line, whatever the environment holds. Of an address it leaves out user and password, which may hold
 * any character, and everything after a question mark.
 */
function quote(text: string): string {
  const shown = text.replace(/(\/\/).*@/s, '$1…@').replace(/(\/\/[^?#]*[?#]).*/s, '$1…');
  return JSON.stringify(shown.length > MAX_QUOTED_LENGTH ? `${shown.slice(0, MAX_QUOTED_LENGTH)}…` : shown);
}

const MAX_QUOTED_LENGTH = 100;

/** Phoenix's other names belong to its clients and mean nothing here; an unknown name of our own prefix is a mistake. */
function warnAboutNames(env: EnvironmentVariables): string[] {
  const known = Object.values<Variable<unknown>>(variables).map((variable) => variable.name);
  const warnings: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    const match = /^(SERVICE_|PHOENIX_)(.+)$/.exec(name);
    const bare = match?.[2];
    if (bare === undefined || known.includes(bare) || given(name, text) === undefined) continue;
    if (isOfProvider(bare)) continue; // providers.ts knows their names
    if (isUnsupportedName(bare)) {
      warnings.push(`${name} has no effect: this version does not have that setting.`);
    } else if (match?.[1] === PREFIX) {
      const nearest = findNearestName(bare, known);
      const suggestion = nearest === undefined ? '' : ` Did you mean ${PREFIX}${nearest}?`;
      warnings.push(`${name} is not a known variable and has no effect.${suggestion}`);
    }
  }
  return warnings;
}
