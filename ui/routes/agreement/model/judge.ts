/** Whose judgements are compared, as addresses and filters name them. */
import { quoteText } from '#filter/lex-text';

/** What is judged. */
export type JudgedKind = 'span' | 'trace' | 'session';

/** The annotations of a name, of one annotator where `by` is given. */
export interface Judge {
  readonly name: string;
  readonly by: Annotator | null;
}

/** All who used one identifier, as one kind of annotator. */
export interface Annotator {
  readonly kind: 'HUMAN' | 'LLM' | 'CODE';
  readonly identifier: string;
}

/** How addresses and choices name an annotator. */
export function annotatorKey({ kind, identifier }: Annotator): string {
  return `${kind}:${identifier}`;
}

/** The annotator of a key; null for everybody, and for what is none. */
export function readAnnotator(key: string | undefined): Annotator | null {
  const [, kind, identifier] = /^(HUMAN|LLM|CODE):(.*)$/s.exec(key ?? '') ?? [];
  return kind === undefined || identifier === undefined ? null : { kind: kind as Annotator['kind'], identifier };
}

/** The judge in a few words. */
export function titleOf({ name, by }: Judge): string {
  return by === null ? name : `${name}, ${by.identifier || by.kind}`;
}

/** Judges, and why it is these. */
export interface FirstJudges {
  readonly first: Judge;
  readonly second: Judge;
  readonly why: string;
}

/**
 * Who is compared until somebody chooses; undefined where nobody has judged.
 * @param names of annotations
 * @param pair the two annotators of one name who judged most of the same things; empty without any
 */
export function judgesToBeginWith(
  names: readonly string[],
  [first, second]: readonly Judge[],
): FirstJudges | undefined {
  if (first !== undefined && second !== undefined)
    return { first, second, why: `The two who judged most of the same things, under the name “${first.name}”.` };
  const [one, other = one] = names;
  if (one === undefined || other === undefined) return undefined;
  const why =
    one === other
      ? `Nobody else has judged the same things as “${one}”, so it is compared with itself.`
      : 'No name has two annotators yet, so these are two different names.';
  return { first: { name: one, by: null }, second: { name: other, by: null }, why };
}

/** In the filter language: what two judges labelled so. */
export function pairFilter(kind: JudgedKind, first: Judge, second: Judge, labels: readonly [string, string]): string {
  const isPlain = first.name !== second.name && first.by === null && second.by === null;
  const term = isPlain ? subscripted : anyOf;
  return `${term(kind, first, labels[0])} and ${term(kind, second, labels[1])}`;
}

const COLLECTIONS = { span: 'annotations', trace: 'trace_annotations', session: 'session_annotations' } as const;

function subscripted(kind: JudgedKind, { name }: Judge, label: string): string {
  return `${COLLECTIONS[kind]}[${quoteText(name)}].label == ${quoteText(label)}`;
}

function anyOf(kind: JudgedKind, { name, by }: Judge, label: string): string {
  const terms = [
    `a.name == ${quoteText(name)}`,
    `a.label == ${quoteText(label)}`,
    ...(by === null ? [] : [`a.annotator_kind == '${by.kind}'`, `a.identifier == ${quoteText(by.identifier)}`]),
  ];
  return `any(${terms.join(' and ')} for a in ${COLLECTIONS[kind]})`;
}
