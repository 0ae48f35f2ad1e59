/** Facts of one model call, as questions to the span that stands for it. */
import type { RestSpan } from '../harness/telemetry.ts';
import {
  isSameCall,
  isSameResult,
  isSameText,
  type Line,
  type LineType,
  shownLines,
  truthLines,
} from './conversation.ts';
import type { Evidence } from './evidence.ts';
import type { Question } from './question.ts';
import { type Attributes, canonical, listItems, readJson, textAt } from './reading.ts';
import { type ModelCall, type ToolDefinition, USAGE_NAMES, type UsageName } from './truth.ts';

/** All questions that a call answers; the evidence is that of its whole scenario. */
export function askCall(call: ModelCall, whole: Evidence): Question[] {
  return [...askModels(call, whole), ...askLines(call), ...askUsage(call), ...askParameters(call), ...askTools(call)];
}

/** Each count of tokens, with the attribute that shows it. */
const USAGE_KEYS: Readonly<Record<UsageName, readonly string[]>> = {
  input_total: ['llm.token_count.prompt'],
  input_cache_read: ['llm.token_count.prompt_details.cache_read', 'llm.token_count.prompt_details.cache_input'],
  input_cache_write: ['llm.token_count.prompt_details.cache_write'],
  output_total: ['llm.token_count.completion'],
  output_reasoning: ['llm.token_count.completion_details.reasoning'],
  total: ['llm.token_count.total'],
};

/** The count that a span shows. */
export function shownCount({ attributes }: RestSpan, name: UsageName): number | undefined {
  const value = USAGE_KEYS[name].map((key) => attributes[key]).find((one) => one !== undefined);
  return typeof value === 'number' ? value : undefined;
}

/** The models that a span names, without the gateway in front of a name. */
export function shownModels({ attributes }: RestSpan): { readonly asked: string[]; readonly answered: string[] } {
  const names = (...keys: readonly string[]) =>
    keys.flatMap((key) => textAt(attributes, key) ?? []).flatMap(modelNames);
  const answered = names('llm.model_name', 'llm.response.model_name', 'embedding.model_name');
  const asked = ['model', 'model_name', 'model_id', 'modelId'].map((key) => parametersOf(attributes)[key]);
  const texts = asked.filter((one): one is string => typeof one === 'string');
  return { asked: [...names('llm.request.model_name'), ...answered, ...texts.flatMap(modelNames)], answered };
}

/** Whether a name is the model's, or that of one of its dated versions. */
function isVersionOf(model: string, name: string): boolean {
  return name === model || name.replace(/-\d{4}-?\d{2}-?\d{2}$/, '') === model;
}

/** Questions for the parameters of a request. */
export function askParameters({ parameters }: Pick<ModelCall, 'parameters'>): Question[] {
  const wanted = PARAMETERS.flatMap((aliases) => {
    const [value] = Object.entries(parameters).flatMap(([key, one]) => (aliases.includes(key) ? [one] : []));
    return value === undefined ? [] : [{ aliases, value }];
  });
  if (wanted.length === 0) return [];
  return [
    {
      fact: 'parameters',
      expected: JSON.stringify(parameters),
      isCarriedBy: (evidence) => wanted.every(({ value }) => evidence.carriesWord(JSON.stringify(value))),
      answer: ({ attributes }) => {
        const shown = parametersOf(attributes);
        return {
          isRight: wanted.every(({ aliases, value }) => aliases.some((key) => Number(shown[key]) === value)),
          got: textAt(attributes, 'llm.invocation_parameters'),
        };
      },
    },
  ];
}

/** What each parameter is called by providers and SDKs. */
const PARAMETERS: readonly (readonly string[])[] = [
  ['temperature'],
  ['max_tokens', 'maxTokens', 'max_output_tokens', 'maxOutputTokens', 'max_completion_tokens', 'maxCompletionTokens'],
];

/** Provider's names, first that of the truth. */
const PROVIDERS: readonly (readonly string[])[] = [
  ['openai'],
  ['anthropic'],
  ['aws.bedrock', 'aws', 'bedrock', 'amazon'],
  ['gcp.gemini', 'google', 'gemini', 'gcp', 'vertex'],
];

const PROVIDER_KEYS = /(?:provider|system|vendor)(?:\.name)?$/;

function askModels(call: ModelCall, whole: Evidence): Question[] {
  const { model, response_model: answered, response_id: id, provider } = call;
  // Where only a dated name was sent, that is what can be shown.
  const isDatedOnly = !whole.carriesWord(model);
  const questions: Question[] = [
    {
      fact: 'model',
      expected: model,
      isCarriedBy: (evidence) => evidence.carriesWord(model) || isDatedOnly,
      answer: (span) => {
        const shown = shownModels(span).asked;
        return {
          isRight: shown.some((one) => one === model || (isDatedOnly && isVersionOf(model, one))),
          got: shown[0],
        };
      },
    },
  ];
  if (answered !== undefined) {
    questions.push({
      fact: 'response_model',
      expected: answered,
      isCarriedBy: (evidence) => evidence.carriesWord(answered),
      answer: (span) => {
        const shown = shownModels(span).answered;
        return { isRight: shown.includes(answered), got: shown[0] };
      },
    });
  }
  if (id !== undefined) {
    questions.push({
      fact: 'response_id',
      expected: id,
      isCarriedBy: (evidence) => evidence.carries(id),
      answer: ({ attributes }) => {
        const found = Object.values(attributes).some((value) => typeof value === 'string' && value.includes(id));
        return { isRight: found, got: found ? id : undefined };
      },
    });
  }
  const names = PROVIDERS.find((one) => one[0] === provider) ?? [provider];
  const isProvider = (shown: string) => names.some((name) => shown.toLowerCase().startsWith(name));
  if (whole.valuesUnder(PROVIDER_KEYS).some(isProvider)) {
    questions.push({
      fact: 'provider',
      expected: provider,
      isCarriedBy: (evidence) => evidence.valuesUnder(PROVIDER_KEYS).some(isProvider),
      answer: ({ attributes }) => {
        const shown = textAt(attributes, 'llm.provider') ?? textAt(attributes, 'llm.system');
        return { isRight: shown !== undefined && isProvider(shown), got: shown };
      },
    });
  }
  return questions;
}

function askLines(call: ModelCall): Question[] {
  const [asked, answered] = [truthLines(call.input_messages), truthLines(call.output_messages)];
  return [
    ...askLinesOf('system_text', asked, 'system', INPUT),
    ...askLinesOf('input_text', asked, 'user', INPUT),
    ...askLinesOf('input_reasoning', asked, 'reasoning', INPUT),
    ...askLinesOf('input_tool_calls', asked, 'call', INPUT),
    ...askLinesOf('tool_results_in_prompt', asked, 'result', INPUT),
    ...askLinesOf('image_bytes', asked, 'image', INPUT),
    ...askLinesOf('output_text', answered, 'assistant', OUTPUT),
    ...askLinesOf('output_tool_calls', answered, 'call', OUTPUT),
    ...askLinesOf('output_reasoning', answered, 'reasoning', OUTPUT),
    ...askCallIds('input_tool_call_ids', asked, INPUT),
    ...askCallIds('output_tool_call_ids', answered, OUTPUT),
    ...askOrder('input_order', asked, INPUT),
  ];
}

const INPUT = 'llm.input_messages';
const OUTPUT = 'llm.output_messages';

function askLinesOf(fact: string, lines: readonly Line[], type: LineType, path: string): Question[] {
  const expected = lines.filter((line) => line.type === type).map(({ text }) => text);
  // Some programs send empty texts beside calls.
  if (expected.every((text) => text.trim() === '')) return [];
  const pieces = expected.flatMap((text) => (type === 'call' ? listPieces(text) : [text]));
  return [
    {
      fact,
      expected: expected.join(' | '),
      isCarriedBy: (evidence) =>
        type === 'call'
          ? expected.every((call) => carriesCall(evidence, call))
          : pieces.every((text) => evidence.carries(text)),
      answer: ({ attributes }) => {
        const shown = shownLines(attributes, path).filter((line) => line.type === type);
        const texts = shown.map(({ text }) => text);
        return { isRight: isSameLines(type, expected, texts), got: texts.length === 0 ? undefined : texts.join(' | ') };
      },
      isToldBy: ({ attributes }) => {
        const told = [INPUT, OUTPUT, 'input.value', 'output.value'].flatMap((key) => tellAll(attributes, key));
        return pieces.every((text) => told.some((one) => one.includes(text)));
      },
    },
  ];
}

function isSameLines(type: LineType, expected: readonly string[], shown: readonly string[]): boolean {
  if (type === 'system' || type === 'user' || type === 'assistant' || type === 'reasoning') {
    return isSameText(expected, shown);
  }
  if (expected.length !== shown.length) return false;
  return expected.every((text, place) => {
    const one = shown[place] ?? '';
    if (type === 'call') return isSameCall(text, one);
    return type === 'result' ? isSameResult(text, one) : one.includes(text);
  });
}

/** Calls and results are told apart, and found together, by the ids of calls: asked of those that are shown. */
function askCallIds(fact: string, lines: readonly Line[], path: string): Question[] {
  const withIds = lines.filter(({ callId }) => callId !== undefined);
  if (withIds.length === 0) return [];
  const idsOf = (own: readonly Line[], types: ReadonlySet<string>) =>
    own.filter(({ type }) => types.has(type)).map(({ callId }) => callId ?? '');
  const times = Map.groupBy(withIds, ({ callId }) => callId ?? '');
  return [
    {
      fact,
      expected: withIds.map(({ callId }) => callId).join(' '),
      isCarriedBy: (evidence) => [...times].every(([id, own]) => evidence.countWord(id) >= own.length),
      answer: ({ attributes }) => {
        const shown = shownLines(attributes, path).filter(({ type }) => CALL_TYPES.has(type));
        const types = new Set(shown.map(({ type }) => type));
        const ids = idsOf(shown, CALL_TYPES).join(' ');
        const isRight = idsOf(withIds, types).join(' ') === ids;
        return { isRight, got: shown.length === 0 ? undefined : ids };
      },
    },
  ];
}

const CALL_TYPES: ReadonlySet<LineType> = new Set(['call', 'result']);

/** The order of who says what; only of what is shown at all, as the rest is another fact's. */
function askOrder(fact: string, lines: readonly Line[], path: string): Question[] {
  const expected = lines.filter(({ text }) => text.trim() !== '').map(({ type }) => type);
  if (new Set(expected).size < 2) return [];
  return [
    {
      fact,
      expected: expected.join(' '),
      isCarriedBy: () => true,
      answer: ({ attributes }) => {
        const shown = shownLines(attributes, path).flatMap(({ type }) => (type === 'other' ? [] : type));
        const types = new Set<LineType>(shown);
        const order = collapse(expected.filter((type) => types.has(type)));
        return { isRight: collapse(shown) === order, got: shown.length === 0 ? undefined : shown.join(' ') };
      },
    },
  ];
}

function askUsage({ usage }: ModelCall): Question[] {
  return USAGE_NAMES.flatMap((name): Question[] => {
    const expected = usage?.[name];
    // What is zero need not be said.
    if (!expected) return [];
    return [
      {
        fact: `usage_${name}`,
        expected: String(expected),
        isCarriedBy: (evidence) => evidence.carriesWord(String(expected)),
        answer: (span) => {
          const shown = shownCount(span, name);
          return { isRight: shown === expected, got: shown === undefined ? undefined : String(shown) };
        },
      },
    ];
  });
}

function askTools({ tools }: ModelCall): Question[] {
  if (tools.length === 0) return [];
  return [
    {
      fact: 'tool_definitions',
      expected: tools.map(({ name }) => name).join(' '),
      // The name alone is also in calls.
      isCarriedBy: (evidence) =>
        tools.every(({ name, description }) => evidence.carriesWord(name) && evidence.carries(description ?? name)),
      answer: ({ attributes }) => {
        const shown = listItems(attributes, 'llm.tools').map(readDefinition);
        const isRight =
          shown.length === tools.length && tools.every((tool) => shown.some((one) => isSameTool(tool, one)));
        return { isRight, got: shown.length === 0 ? undefined : JSON.stringify(shown) };
      },
    },
  ];
}

interface ShownTool {
  readonly name: unknown;
  readonly description: unknown;
  readonly parameters: unknown;
}

/** A definition in the form of any provider. */
function readDefinition(item: Attributes): ShownTool {
  const schema = readJson(item['tool.json_schema']);
  const outer = (typeof schema === 'object' && schema !== null ? schema : {}) as Record<string, unknown>;
  const inner = (outer['function'] ?? outer['toolSpec'] ?? outer) as Record<string, unknown>;
  const parameters = inner['parameters'] ?? inner['input_schema'] ?? inner['inputSchema'];
  const nested = (parameters as { json?: unknown } | undefined)?.json;
  return {
    name: inner['name'] ?? item['tool.name'],
    description: inner['description'] ?? item['tool.description'],
    parameters: readJson(nested ?? parameters),
  };
}

/** What is shown beside the name must not differ; an SDK may add to a schema. */
function isSameTool(tool: ToolDefinition, shown: ShownTool): boolean {
  if (tool.name !== shown.name) return false;
  const isDescribed = shown.description == null || tool.description == null;
  if (!isDescribed && canonical(shown.description).trim() !== tool.description?.trim()) return false;
  const [expected, given] = [tool.parameters, shown.parameters].map(listProperties);
  return expected === undefined || given === undefined || expected === given;
}

function listProperties(schema: unknown): string | undefined {
  const properties = (schema as { properties?: object } | null | undefined)?.properties;
  return properties === undefined ? undefined : Object.keys(properties).sort().join(' ');
}

function parametersOf(attributes: Attributes): Record<string, unknown> {
  const shown = readJson(attributes['llm.invocation_parameters']);
  return typeof shown === 'object' && shown !== null ? (shown as Record<string, unknown>) : {};
}

function modelNames(name: string): string[] {
  return [name, name.slice(name.lastIndexOf('/') + 1)];
}

/** Whether the name is there, and each argument beside its own name: values alone are in questions and answers too. */
function carriesCall(evidence: Evidence, call: string): boolean {
  const at = call.indexOf(' ');
  const given = Object.entries(readJson(call.slice(at + 1)) as object);
  return evidence.carriesWord(call.slice(0, at)) && given.every(([key, value]) => evidence.carriesMember(key, value));
}

/** The name and the texts of the arguments of a call. */
function listPieces(call: string): string[] {
  const at = call.indexOf(' ');
  const values = Object.values(readJson(call.slice(at + 1)) as object).map((value) => canonical(value));
  return [call.slice(0, at), ...values];
}

function tellAll(attributes: Attributes, path: string): string[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    key === path || key.startsWith(`${path}.`) ? [String(value), canonical(value)] : [],
  );
}

function collapse(types: readonly string[]): string {
  return types.filter((type, place) => type !== types[place - 1]).join(' ');
}
