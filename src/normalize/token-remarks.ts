/** Where the token counts of a span contradict each other, or were sent in another meaning than they are shown in. */
import type { TokenCounts } from '#domain/span';
import type { TokenRemark } from '#domain/token-remark';
import * as claudeCode from '#semconv/claude-code';
import * as openinference from '#semconv/openinference';
import { PREFIX_AI_USAGE } from '#semconv/vercel-ai';
import { GEN_AI_TOKENS } from './gen-ai/tokens.ts';
import { toInteger } from './number.ts';
import { listPartSets, type ReadAttribute, type SeparablePart, sumOfParts } from './token-counts.ts';

/** Compares what the attributes say with the counts that were made of them; nothing where all agree. */
export function findTokenRemarks(read: ReadAttribute, counts: TokenCounts): readonly TokenRemark[] {
  const remarks = [...COMPARED.flatMap((compared) => compareNames(read, counts, compared)), ...findTooLarge(counts)];
  for (const [name, label] of LABELS) {
    const count = counts[name] ?? 0;
    if (count < 0) remarks.push({ kind: 'negative', message: `${label} is ${count}: totals ignore it.` });
  }
  return remarks;
}

/** A count with all the names that producers have for it. */
interface Compared {
  readonly name: 'prompt' | 'completion' | 'total';
  readonly keys: readonly string[];
  /** What may have been left out of it. */
  readonly parts: readonly SeparablePart[];
}

const COMPARED: readonly Compared[] = [
  {
    name: 'prompt',
    keys: [
      openinference.ATTR_LLM_TOKEN_COUNT_PROMPT,
      ...GEN_AI_TOKENS.input,
      `${PREFIX_AI_USAGE}inputTokens`,
      `${PREFIX_AI_USAGE}promptTokens`,
      claudeCode.ATTR_INPUT_TOKENS,
    ],
    parts: ['cacheRead', 'cacheWrite'],
  },
  {
    name: 'completion',
    keys: [
      openinference.ATTR_LLM_TOKEN_COUNT_COMPLETION,
      ...GEN_AI_TOKENS.output,
      `${PREFIX_AI_USAGE}outputTokens`,
      `${PREFIX_AI_USAGE}completionTokens`,
      claudeCode.ATTR_OUTPUT_TOKENS,
    ],
    parts: ['reasoning'],
  },
  {
    name: 'total',
    keys: [openinference.ATTR_LLM_TOKEN_COUNT_TOTAL, ...GEN_AI_TOKENS.total, `${PREFIX_AI_USAGE}totalTokens`],
    parts: ['cacheRead', 'cacheWrite', 'reasoning'],
  },
];

const LABELS: ReadonlyMap<keyof TokenCounts, string> = new Map([
  ['prompt', 'The input'],
  ['completion', 'The output'],
  ['cacheRead', 'The input read from a cache'],
  ['cacheWrite', 'The input written to a cache'],
  ['reasoning', 'The reasoning'],
  ['promptAudio', 'The audio input'],
  ['completionAudio', 'The audio output'],
]);

const PART_NAMES: Readonly<Record<SeparablePart, string>> = {
  cacheRead: 'tokens read from a cache',
  cacheWrite: 'tokens written to a cache',
  reasoning: 'tokens of reasoning',
};

/** One remark for each other count, however many names have it. */
function compareNames(read: ReadAttribute, counts: TokenCounts, { name, keys, parts }: Compared): TokenRemark[] {
  const shown = counts[name];
  if (shown === null) return [];
  const keysOf = new Map<number, string>();
  for (const key of keys) {
    const count = toInteger(read(key));
    if (count !== undefined && count !== shown && !keysOf.has(count)) keysOf.set(count, key);
  }
  return [...keysOf].map(([count, key]) => remarkOn(key, count, shown, counts, { name, parts }));
}

function remarkOn(
  key: string,
  count: number,
  shown: number,
  counts: TokenCounts,
  { name, parts }: Omit<Compared, 'keys'>,
): TokenRemark {
  const left = listPartSets(counts).find(
    (set) => set.every((part) => parts.includes(part)) && count + sumOfParts(counts, set) === shown,
  );
  if (left !== undefined) {
    const listed = left.map((part) => `${counts[part]} ${PART_NAMES[part]}`).join(' and ');
    return {
      kind: 'parts_left_out',
      message: `${key} is ${count}, which leaves out ${listed}; the number shown is ${shown}, which includes them.`,
    };
  }
  if (name !== 'total')
    return { kind: 'names_disagree', message: `${key} is ${count}, but another attribute ${shown}.` };
  const sum = `${counts.prompt} input and ${counts.completion} output`;
  return { kind: 'total_differs', message: `${key} is ${count}, but ${sum} make ${shown}.` };
}

function findTooLarge(counts: TokenCounts): TokenRemark[] {
  const { prompt, completion, total, cacheRead, cacheWrite, reasoning, promptAudio, completionAudio } = counts;
  const cached = cacheRead === null && cacheWrite === null ? null : (cacheRead ?? 0) + (cacheWrite ?? 0);
  const compared: readonly (readonly [what: string, part: number | null, of: string, whole: number | null])[] = [
    ['cached tokens', cached, 'input', prompt],
    ['audio tokens', promptAudio, 'input', prompt],
    ['tokens of reasoning', reasoning, 'output', completion],
    ['audio tokens', completionAudio, 'output', completion],
    ['tokens of input', prompt, 'all', total],
    ['tokens of output', completion, 'all', total],
  ];
  return compared.flatMap(([what, part, of, whole]) =>
    part !== null && whole !== null && part > whole
      ? [{ kind: 'part_exceeds_whole' as const, message: `${part} ${what} are more than the ${whole} of ${of}.` }]
      : [],
  );
}
