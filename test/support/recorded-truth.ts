/** What really happened in the recorded requests of test/fixtures/otlp, as lines to find in what a server made of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One recorded scenario. */
export interface RecordedScenario {
  readonly name: string;
  /** Bodies for `/v1/traces`, in order of arrival. */
  readonly bodies: readonly Uint8Array[];
  /** Each fact that the bodies carry, by its name in `wire.json`, with the lines that tell it. */
  readonly facts: ReadonlyMap<string, readonly string[]>;
  /** Kinds of spans that must be found. */
  readonly kinds: readonly string[];
}

/** The folders of recordings in protobuf whose names start so. */
export function listRecordings(prefixes: readonly string[]): string[] {
  return readdirSync(ROOT).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}

/** All scenarios of one folder. */
export function readRecording(folder: string): RecordedScenario[] {
  const { scenarios } = readJson(folder, 'truth.json') as { scenarios: Truth[] };
  const { carried } = readJson(folder, 'wire.json') as { carried: Record<string, Record<string, boolean | 'part'>> };
  return scenarios.map((truth) => ({
    name: truth.scenario,
    bodies: truth.files
      .filter((file) => !file.includes('.logs.'))
      .map((file) => readFileSync(join(ROOT, folder, file))),
    facts: new Map(listFacts(truth).filter(([fact]) => carried[truth.scenario]?.[fact] === true)),
    kinds: listKinds(truth.tree),
  }));
}

/** JSON in one spelling, so that texts of the same value are the same line; other text as it is. */
export function canonicalJson(text: string): string {
  try {
    return JSON.stringify(sortKeys(JSON.parse(text)));
  } catch {
    return text;
  }
}

const ROOT = join(import.meta.dirname, '../fixtures/otlp');

const USAGE = ['input_total', 'input_cache_read', 'input_cache_write', 'output_total', 'output_reasoning', 'total'];

interface Truth {
  readonly scenario: string;
  readonly files: readonly string[];
  readonly llm_calls: readonly ModelCall[];
  readonly embedding_calls: readonly {
    readonly model: string;
    readonly input: readonly string[];
    readonly usage: { readonly input_total: number };
  }[];
  readonly tool_runs: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly result?: string;
  }[];
  readonly retrievals: readonly {
    readonly documents: readonly { readonly id: string; readonly content: string; readonly score?: number }[];
  }[];
  readonly given: { readonly session?: string; readonly user?: string };
  readonly error: { readonly message: string } | null;
  readonly tree: readonly TreeNode[];
}

interface ModelCall {
  readonly model: string;
  readonly response_model?: string;
  readonly input_messages: readonly Message[];
  readonly output_messages: readonly Message[];
  readonly tools: readonly { readonly name: string }[];
  readonly usage: Readonly<Record<string, number | null>> | null;
}

interface Message {
  readonly role: string;
  readonly content: readonly Record<
    'type' | 'text' | 'id' | 'name' | 'arguments' | 'result' | 'mime' | 'base64',
    string
  >[];
}

interface TreeNode {
  readonly kind: string | null;
  readonly children: readonly TreeNode[];
}

function listFacts(truth: Truth): [fact: string, lines: string[]][] {
  const { llm_calls: calls, embedding_calls: embeddings } = truth;
  const asked = calls.flatMap((call) => call.input_messages.flatMap(describeMessage));
  const answered = calls.flatMap((call) => call.output_messages.flatMap(describeMessage));
  // Where only messages show that a tool ran, no span has to.
  const runs = listKinds(truth.tree).includes('TOOL') ? truth.tool_runs : [];
  const documents = truth.retrievals.flatMap((retrieval) => retrieval.documents);
  return [
    ['model', calls.map(({ model }) => model)],
    ['response_model', calls.flatMap((call) => call.response_model ?? [])],
    ['system_text', startingWith(asked, 'system ')],
    ['input_text', startingWith(asked, 'user ')],
    ['input_tool_calls', startingWith(asked, 'call ')],
    ['tool_results_in_prompt', startingWith(asked, 'result ')],
    ['image_bytes', startingWith(asked, 'image ')],
    ['output_text', startingWith(answered, 'assistant ')],
    ['output_tool_calls', startingWith(answered, 'call ')],
    ['output_reasoning', startingWith(answered, 'reasoning ')],
    ['tool_definitions', calls.flatMap((call) => call.tools.map(({ name }) => name))],
    ['tool_run_arguments', runs.flatMap((run) => Object.values(run.arguments).map(String))],
    ['tool_run_result', runs.flatMap(({ result }) => result ?? [])],
    ['documents', documents.map(({ content }) => content)],
    ['document_ids', documents.map(({ id }) => id)],
    ['document_scores', documents.flatMap(({ score }) => (score === undefined ? [] : String(score)))],
    ['embedding_model', embeddings.map(({ model }) => model)],
    ['embedding_input', embeddings.flatMap(({ input }) => input)],
    ['embedding_usage', embeddings.map(({ usage }) => String(usage.input_total))],
    ['session', [truth.given.session ?? '']],
    ['user', [truth.given.user ?? '']],
    ['error_message', [truth.error?.message ?? '']],
    ...USAGE.map((count): [string, string[]] => [
      `usage_${count}`,
      calls.flatMap(({ usage }) => usage?.[count] || []).map(String),
    ]),
  ];
}

function describeMessage({ role, content }: Message): string[] {
  return content.map((part) => {
    switch (part.type) {
      case 'text':
        return `${role} ${part.text}`;
      case 'tool_call':
        return `call ${part.name} ${canonicalJson(JSON.stringify(part.arguments))}`;
      case 'tool_result':
        return `result ${part.result}`;
      case 'image':
        return `image data:${part.mime};base64,${part.base64}`;
      default:
        return `${part.type} ${part.text}`;
    }
  });
}

function startingWith(lines: readonly string[], start: string): string[] {
  return lines.filter((line) => line.startsWith(start));
}

function listKinds(tree: readonly TreeNode[]): string[] {
  return tree.flatMap(({ kind, children }) => [...(kind === null ? [] : [kind]), ...listKinds(children)]);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, folder, file), 'utf8'));
}
