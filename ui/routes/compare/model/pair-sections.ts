/** Two spans side by side: what they read and wrote, what they were set to, and what else was recorded. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import { type ContentPart, readContents, withoutCallIds } from '#domain/span-contents';
import { readSpanView, type SpanKindName } from '../../span/model/span-view.ts';
import { pairUnits, toUnits, type UnitPair } from './content-units.ts';

/** A span as the page reads it for a comparison. */
export interface ComparedSpan {
  readonly kind: SpanKindName;
  readonly attributes: JsonObject;
  readonly statusMessage: string;
}

/** A part of the contents, unit by unit. */
export interface PairSection {
  readonly id: ContentPart | 'error';
  readonly title: string;
  readonly pairs: readonly UnitPair[];
  readonly isEqual: boolean;
}

/** A value on both sides; null where a side has none. */
export interface SettingPair {
  readonly label: string;
  readonly left: string | null;
  readonly right: string | null;
}

/** See the file. */
export interface PairSections {
  readonly sections: readonly PairSection[];
  readonly settings: readonly SettingPair[];
  /** Attributes that have no place elsewhere. */
  readonly others: readonly SettingPair[];
}

/** Reads both sides; what neither has is left out. */
export function readPairSections(left: ComparedSpan, right: ComparedSpan): PairSections {
  const [leftHolds, rightHolds] = [readContents(left.attributes), readContents(right.attributes)];
  const contents = TEXT_PARTS.map(([id, title]) =>
    toSection(id, title, pairUnits(toUnits(leftHolds[id]), toUnits(rightHolds[id]))),
  );
  const error = toSection('error', 'Error', pairUnits(toError(left), toError(right)));
  return {
    sections: [error, ...contents].filter(({ pairs }) => pairs.length > 0),
    settings: [
      ...pairValues(readFacts(left), readFacts(right)),
      ...pairValues(flatten(leftHolds.parameters), flatten(rightHolds.parameters)),
    ],
    others: pairValues(readOthers(left), readOthers(right)),
  };
}

/** Parameters are settings. */
const TEXT_PARTS: readonly (readonly [Exclude<ContentPart, 'parameters'>, string])[] = [
  ['output', 'Output'],
  ['input', 'Input'],
  ['prompt', 'Prompt'],
  ['tools', 'Tools'],
];

function toSection(id: PairSection['id'], title: string, pairs: readonly UnitPair[]): PairSection {
  return { id, title, pairs, isEqual: pairs.every(isSame) };
}

/** Whether both sides are the same. */
export function isSame({ left, right }: { readonly left: string | null; readonly right: string | null }): boolean {
  return left === right;
}

function toError({ statusMessage }: ComparedSpan) {
  return statusMessage === '' ? [] : [{ label: '', text: statusMessage }];
}

type Values = ReadonlyMap<string, string>;

function readFacts({ kind, attributes }: ComparedSpan): Values {
  const { facts } = readSpanView(kind, attributes);
  return new Map(facts.filter(({ label }) => !ELSEWHERE.has(label)).map(({ label, value }) => [label, value]));
}

/** What says whose or which run it is, and what is shown among the figures. */
const ELSEWHERE: ReadonlySet<string> = new Set(['Session', 'User', 'Call id', 'Reported cost', 'Top k']);

function flatten(value: JsonValue): Values {
  return isJsonObject(value) ? new Map(flattenAttributes(value).map(([key, item]) => [key, toText(item)])) : new Map();
}

function readOthers({ attributes }: ComparedSpan): Values {
  const flat = flattenAttributes(attributes)
    .filter(([key]) => !SHOWN.test(key))
    .slice(0, MAX_OTHERS)
    .map(([key, value]) => [key, toText(withoutCallIds(value))] as const);
  return new Map(flat);
}

/** Of each side. */
const MAX_OTHERS = 500;

/** Attributes that contents, settings and figures show. */
const SHOWN =
  /^(?:input|output|llm\.(?:input_messages|output_messages|prompts|choices|tools|token_count|cost|invocation_parameters|model_name|request|response|provider|system|finish_reason|prompt_template\.(?:template|version))|embedding|retrieval|reranker|tool|prompt\.id|openinference|session\.id|user\.id)\b/;

function toText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : JSON.stringify(value);
}

function pairValues(left: Values, right: Values): readonly SettingPair[] {
  const labels = new Set([...left.keys(), ...right.keys()]);
  return [...labels].map((label) => ({ label, left: left.get(label) ?? null, right: right.get(label) ?? null }));
}
