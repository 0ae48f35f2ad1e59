/** What really happened in a recorded scenario: the words of `truth.json`, see test/fixtures/otlp/README.md. */

/** Everything that one scenario did. */
export interface Truth {
  readonly scenario: string;
  /** The requests of the scenario, in order of arrival. */
  readonly files: readonly string[];
  readonly llm_calls: readonly ModelCall[];
  readonly embedding_calls: readonly EmbeddingCall[];
  readonly tool_runs: readonly ToolRun[];
  readonly retrievals: readonly Retrieval[];
  readonly given: Given;
  /** What the program got in the end: text, or a structured object. */
  readonly final_output: unknown;
  readonly error: { readonly type: string; readonly message: string } | null;
  /** How many; `null` leaves it open. */
  readonly traces: number | null;
  readonly tree: readonly TreeNode[];
}

/** One call of a model, in the order of the calls. */
export interface ModelCall {
  readonly provider: string;
  readonly model: string;
  readonly response_model?: string;
  readonly response_id?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly input_messages: readonly TruthMessage[];
  readonly output_messages: readonly TruthMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly usage: CallUsage | null;
}

/** Counts of tokens: `input_total` with cached ones, `output_total` with reasoning. */
export type CallUsage = Readonly<Record<UsageName, number | null>>;

/** The counts that a call can have. */
export const USAGE_NAMES = [
  'input_total',
  'input_cache_read',
  'input_cache_write',
  'output_total',
  'output_reasoning',
  'total',
] as const;

/** One of {@link USAGE_NAMES}. */
export type UsageName = (typeof USAGE_NAMES)[number];

export interface TruthMessage {
  readonly role: string;
  readonly content: readonly TruthPart[];
}

/** A part of a message. */
export type TruthPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'image'; readonly mime: string; readonly base64: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: unknown }
  | { readonly type: 'tool_result'; readonly id: string; readonly result: unknown };

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
}

export interface EmbeddingCall {
  readonly model: string;
  readonly input: readonly string[];
  readonly vectors: readonly (readonly number[])[];
  readonly usage: { readonly input_total: number };
}

export interface ToolRun {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: string | null;
  readonly error?: string;
}

export interface Retrieval {
  readonly query: string;
  readonly documents: readonly {
    readonly id?: string;
    readonly content: string;
    readonly score?: number;
    readonly metadata?: Readonly<Record<string, unknown>>;
  }[];
}

/** What the program handed to the SDK. */
export interface Given {
  readonly session?: string;
  readonly user?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly project?: string;
  readonly prompt_template?: {
    readonly template: string;
    readonly version?: string;
    readonly variables?: Readonly<Record<string, unknown>>;
  };
  readonly input?: string;
  readonly output_length?: number;
  readonly image_url?: string;
  readonly usage?: Partial<CallUsage>;
  readonly cost?: { readonly total: number };
  readonly usage_details?: Readonly<Record<string, number>>;
  readonly cost_details?: { readonly total: number };
  readonly model_parameters?: Readonly<Record<string, unknown>>;
}

/** A span that must be found: a descendant of its parent, not always a child. */
export interface TreeNode {
  /** OpenInference's; `null` leaves it open. */
  readonly kind: string | null;
  /** `null`: the SDK chooses it. */
  readonly name: string | null;
  readonly status?: 'ERROR';
  readonly children: readonly TreeNode[];
}

/** What a program said by hand; `usage_details` leaves cached tokens out of the input. */
export function givenUsage({ usage, usage_details: details }: Given): [UsageName, number][] {
  const fromDetails: [UsageName, number][] =
    details === undefined
      ? []
      : [
          ['input_total', (details['input'] ?? 0) + (details['cache_read_input_tokens'] ?? 0)],
          ['input_cache_read', details['cache_read_input_tokens'] ?? 0],
          ['output_total', details['output'] ?? 0],
        ];
  return [...(Object.entries(usage ?? {}) as [UsageName, number][]), ...fromDetails];
}
