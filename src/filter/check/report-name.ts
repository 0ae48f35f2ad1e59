/** Says what is wrong with a name, and which one was meant. */
import { findField, namesOf } from '../catalogue/all.ts';
import { ELEMENTS } from '../catalogue/elements.ts';
import type { GrainCatalogue } from '../catalogue/catalogue.ts';
import { ANY_TEXTS } from '../catalogue/session.ts';
import { quote } from '../diagnostic.ts';
import { quoteText } from '../lex-text.ts';
import { own } from '../own.ts';
import type { PathSyntax } from '../syntax.ts';
import { namesBegunBy, nearestName } from './nearest-name.ts';
import { elementNames } from './resolve-element.ts';
import type { Loop, Scope } from './scope.ts';

/** The path in one name; `undefined` where it has subscripts. */
export function dottedName({ name, steps }: PathSyntax): string | undefined {
  const names = steps.map((step) =>
    step.kind === 'member' ? step.name : step.kind === 'place' ? step.place : undefined,
  );
  return names.includes(undefined) ? undefined : [name, ...names].join('.');
}

/** All names that a row of the grain has, attributes aside. */
export function rowNames(catalogue: GrainCatalogue): readonly string[] {
  const known = knownNames.get(catalogue) ?? listNames(catalogue);
  knownNames.set(catalogue, known);
  return known;
}

const knownNames = new WeakMap<GrainCatalogue, readonly string[]>();

function listNames(catalogue: GrainCatalogue): readonly string[] {
  return [
    ...namesOf(catalogue.fields),
    ...catalogue.collections.map(({ name }) => name),
    ...Object.keys(catalogue.annotations),
    ...(catalogue.hasParent ? ['parent_span'] : []),
    ...(catalogue.grain === 'session' ? Object.keys(ANY_TEXTS) : []),
    'attributes',
    'metadata',
  ];
}

/** Whether the path is a known name but for how its letters are encoded. */
export function isLookAlike({ catalogue }: Scope, path: PathSyntax): boolean {
  const names = rowNames(catalogue);
  return [dottedName(path) ?? path.name, path.name].some((written) => {
    const plain = written.normalize('NFKC');
    return plain !== written && names.includes(plain);
  });
}

/** Reports a name that stands for nothing at the place. */
export function reportUnknown(scope: Scope, path: PathSyntax): undefined {
  const { catalogue, diagnostics, loop } = scope;
  if (loop !== null) reportInLoop(scope, loop, path);
  else if (isLookAlike(scope, path)) {
    const plain = scope.source(path).normalize('NFKC');
    diagnostics.error(
      'look_alike',
      path,
      `${scope.quote(path)} only looks like ${quote(plain)}: write ${quote(plain)}`,
      plain,
    );
  } else {
    const pointer = own(POINTERS[catalogue.grain], path.name);
    if (pointer === undefined) reportUnknownOfRow(scope, path);
    else diagnostics.error('unknown_name', path, `${scope.quote(path)} cannot be used here: ${pointer}`);
  }
}

/** The name of a field that the word is, or that people call so. */
export function namedBy(catalogue: GrainCatalogue, word: string): string | undefined {
  const titles = catalogue.grain === 'span' ? TITLES : ROW_TITLES[catalogue.grain];
  return findField(catalogue.fields, word) === undefined ? own(titles, word.toLowerCase()) : word;
}

/** Whether more can be said of a name that rows do not have than that they do not. */
export function isKnownElsewhere({ grain, collections }: GrainCatalogue, name: string): boolean {
  const word = name.toLowerCase();
  return (
    own(POINTERS[grain], name) !== undefined ||
    own(ROW_TITLES[grain], word) !== undefined ||
    own(CONSTANTS, word) !== undefined ||
    collections.some(({ element }) => findField(ELEMENTS[element].fields, name) !== undefined)
  );
}

function reportUnknownOfRow(scope: Scope, path: PathSyntax): void {
  const { catalogue, diagnostics } = scope;
  const written = dottedName(path) ?? path.name;
  const nearest = nearestName(written, rowNames(catalogue));
  const begun = namesBegunBy(written, rowNames(catalogue));
  const collection = catalogue.collections.find(({ element }) => findField(ELEMENTS[element].fields, path.name));
  const records = RECORDS[catalogue.grain];
  const isWhole = written === scope.source(path);
  const title = isWhole ? own(ROW_TITLES[catalogue.grain], written.toLowerCase()) : undefined;
  if (title !== undefined) {
    diagnostics.error('unknown_name', path, `${records} have no ${quote(written)}: write ${quote(title)}`, title);
  } else if (collection !== undefined) {
    const advice = `write \`any(x.${path.name} … for x in ${collection.name})\``;
    const message = `${records} have no ${quote(written)}, but their ${collection.name} do: ${advice}`;
    diagnostics.error('unknown_name', path, message);
  } else if (nearest !== undefined) {
    const message = `${records} have no ${quote(written)}: did you mean \`${nearest}\`?`;
    diagnostics.error('unknown_name', path, message, isWhole ? nearest : undefined);
  } else if (begun.length > 0) {
    const message = `${records} have no ${quote(written)}: did you mean ${oneOf(begun)}?`;
    diagnostics.error('unknown_name', path, message, isWhole && begun.length === 1 ? begun[0] : undefined);
  } else if (path.steps.length > 0) {
    const attribute = `attributes[${quoteText(written)}]`;
    const message = `${records} have no ${quote(written)}: write ${quote(attribute)} for an attribute of the root span`;
    diagnostics.error('unknown_name', path, message, attribute);
  } else {
    const names = namesOf(catalogue.fields).join(', ');
    diagnostics.error('unknown_name', path, `${records} have no ${quote(written)}: they have ${names}`);
  }
}

function reportInLoop(scope: Scope, loop: Loop, path: PathSyntax): void {
  const written = dottedName(path) ?? path.name;
  const { variable, element } = loop;
  const names = elementNames(element);
  if (names.includes(path.name)) {
    const repair = `${variable}.${scope.source(path)}`;
    const message = `${quote(written)} is a field of the elements: write ${quote(repair)}`;
    scope.diagnostics.error('unknown_name', path, message, repair);
    return;
  }
  if (rowNames(scope.catalogue).includes(path.name)) {
    const message = `${quote(written)} is not a field of the elements: inside the brackets only \`${variable}.…\` can be compared`;
    scope.diagnostics.error('bad_comprehension', path, message);
    return;
  }
  const known = [variable, ...names.map((name) => `${variable}.${name}`)];
  const nearest = nearestName(written, known);
  const advice = nearest === undefined ? `names begin with \`${variable}.\` here` : `did you mean \`${nearest}\`?`;
  scope.diagnostics.error('unknown_name', path, `${quote(written)} is unknown: ${advice}`, nearest);
}

/** Warns of an attribute that is spelled like a field, a constant or a title of a column: it is there in few spans, if in any. */
export function reportDoubtful(scope: Scope, path: PathSyntax): void {
  const written = dottedName(path);
  if (written === undefined) return;
  const word = written.toLowerCase();
  const meant = own(CONSTANTS, word) ?? own(TITLES, word) ?? misspelled(scope, written);
  const candidates = meant === undefined ? cutOff(scope, written) : [meant];
  if (candidates.length === 0) return;
  const message = `${quote(written)} is read as an attribute of that name: did you mean ${oneOf(candidates)}?`;
  scope.diagnostics.warning('doubtful_name', path, message, candidates.length === 1 ? candidates[0] : undefined);
}

/** Fields whose names go on in the middle of a word: an attribute may well be called like the words that others begin with. */
function cutOff({ catalogue }: Scope, written: string): readonly string[] {
  return namesBegunBy(written, rowNames(catalogue)).filter((name) => /[a-z]/i.test(name.charAt(written.length)));
}

function oneOf(names: readonly string[]): string {
  const quoted = names.map(quote);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** Attributes may well be called alike; one slip makes a name doubtful, in a long one two. */
function misspelled({ catalogue }: Scope, written: string): string | undefined {
  return nearestName(written, rowNames(catalogue), Math.min(2, Math.floor(written.length / 4)));
}

/** What people call fields of spans, as the titles of columns do, other products, and the objects around texts. */
const TITLES: Readonly<Record<string, string>> = {
  cost: 'total_cost',
  duration: 'latency_ms',
  duration_ms: 'latency_ms',
  input: 'input.value',
  kind: 'span_kind',
  latency: 'latency_ms',
  model: 'model_name',
  output: 'output.value',
  provider: 'llm.provider',
  session: 'session.id',
  session_id: 'session.id',
  status: 'status_code',
  tokens: 'llm.token_count.total',
  user: 'user.id',
  user_id: 'user.id',
};

/** What people call fields of traces and of sessions, among them names that spans have. */
const ROW_TITLES: Readonly<Record<GrainCatalogue['grain'], Readonly<Record<string, string>>>> = {
  span: {},
  trace: {
    cost: 'total_cost',
    duration: 'latency_ms',
    duration_ms: 'latency_ms',
    errors: 'error_count',
    'input.value': 'input',
    latency: 'latency_ms',
    model: "attributes['llm.model_name']",
    'output.value': 'output',
    session: "attributes['session.id']",
    session_id: "attributes['session.id']",
    'session.id': "attributes['session.id']",
    tokens: 'token_count_total',
    user: 'user.id',
    user_id: 'user.id',
  },
  session: {
    cost: 'total_cost',
    duration: 'duration_ms',
    error_count: 'num_traces_with_error',
    errors: 'num_traces_with_error',
    input: 'first_input',
    'input.value': 'first_input',
    latency: 'duration_ms',
    latency_ms: 'duration_ms',
    model: "attributes['llm.model_name']",
    output: 'last_output',
    'output.value': 'last_output',
    'session.id': 'session_id',
    tokens: 'token_count_total',
    user: 'user.id',
    user_id: 'user.id',
  },
};

/** Constants of other languages. */
export const CONSTANTS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
  none: 'None',
  nil: 'None',
  undefined: 'None',
};

const RECORDS = { span: 'spans', trace: 'traces', session: 'sessions' } as const;

const SPAN_POINTER = "`any(a.name == 'name' for a in span_annotations)` tests annotations of spans";
const PARENT_POINTER = 'write `any(s.parent_span is None for s in spans)`';

/** Names that another grain has, and what to write here. */
const POINTERS: Readonly<Record<GrainCatalogue['grain'], Readonly<Record<string, string>>>> = {
  span: {
    parent_span: 'write `parent_span is None` or `parent_span is not None`, which are its only tests',
    attributes: "write `attributes['key']`",
  },
  trace: {
    annotations: `write \`trace_annotations['name']\`; ${SPAN_POINTER}`,
    evals: `write \`trace_annotations['name']\`; ${SPAN_POINTER}`,
    session_annotations: "write `trace_annotations['name']`",
    parent_span: PARENT_POINTER,
    attributes: "write `attributes['key']`",
  },
  session: {
    annotations: `write \`session_annotations['name']\`; ${SPAN_POINTER}`,
    evals: `write \`session_annotations['name']\`; ${SPAN_POINTER}`,
    trace_annotations: "write `session_annotations['name']`",
    parent_span: PARENT_POINTER,
    attributes: "write `attributes['key']`",
  },
};
