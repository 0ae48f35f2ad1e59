/** Names of models as applications say them, and what they may be called in a list of prices. */

/** A call's model as far as its names tell. */
export interface ModelNames {
  /** What the list may call it, the most exact first; see {@link canonicalName}. */
  readonly names: readonly string[];
  /** Who may answer, by what the call says first. */
  readonly providers: readonly string[];
}

/**
 * What a model may be called in the list: first as it was sent, then without what platforms put before it
 * (`openai/…`, `models/…`, `us.anthropic.…`), then without its version (`-v1:0`, `@20250514`, `-2024-08-06`).
 */
export function readModelName(modelName: string, provider: string | null): ModelNames {
  const sent = modelName.trim().toLowerCase().slice(0, MAX_NAME_LENGTH);
  const parts = sent.split('/').slice(-MAX_PARTS);
  const names = new Set<string>();
  const tails = parts.map((_part, place) => parts.slice(place).join('/'));
  for (const tail of tails) names.add(canonicalName(tail));
  for (const tail of tails) for (const reduced of reductions(tail)) names.add(canonicalName(reduced));
  const providers = new Set<string>();
  if (provider !== null) providers.add(canonicalProvider(provider));
  for (const part of parts.slice(0, -1)) if (PROVIDERS.has(part)) providers.add(canonicalProvider(part));
  return { names: [...names], providers: [...providers] };
}

/** Letters in one case, and one mark between the parts: `Claude-Sonnet-4.5` is `claude-sonnet-4-5`. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll(SEPARATORS, '-');
}

/** One name for each provider, in OpenInference's words where it has one. */
export function canonicalProvider(provider: string): string {
  const name = provider.trim().toLowerCase();
  return PROVIDERS.get(name) ?? name;
}

/** Whether models run on the caller's own machines there, which costs nothing that a list could say. */
export function isSelfHosted(provider: string): boolean {
  return SELF_HOSTED.has(provider);
}

/** The name without one thing after the other that says no more than where and when. */
function reductions(name: string): readonly string[] {
  const found: string[] = [];
  let current = name;
  for (let count = 0; count < MAX_REDUCTIONS; count++) {
    const reduced = reduce(current);
    if (reduced === undefined) return found;
    found.push(reduced);
    current = reduced;
  }
  return found;
}

function reduce(name: string): string | undefined {
  for (const [pattern, replacement] of REDUCTIONS) {
    const reduced = name.replace(pattern, replacement);
    if (reduced !== name && reduced !== '') return reduced;
  }
  return undefined;
}

/** Each looks at a bounded number of characters from one end, so none can take long. */
const REDUCTIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A model that was tuned: `ft:gpt-4o-2024-08-06:organisation::id`.
  [/^(ft:[^:]{1,128}):.*$/, '$1'],
  // Bedrock: the region, who made the model, and its version.
  [/^(?:us|us-gov|eu|apac|ap|au|jp|ca|global)\./, ''],
  [
    /^(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen|google|nvidia|xai|minimax|moonshotai?|zai|writer)\./,
    '',
  ],
  [/-v\d{1,2}(?::\d{1,3}[a-z]?)?$/, ''],
  // Vertex: `@20250514`, `@default`.
  [/@(\d{3,8})$/, '-$1'],
  [/@[a-z]{1,16}$/, ''],
  // What a gateway adds: `:latest`, `:thinking`; what is `:free` has no price.
  [/(?<!^ft):(?!free$)[a-z][a-z0-9-]{0,16}$/, ''],
  [/-latest$/, ''],
  // Dates and numbers of versions.
  [/-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{2}-\d{4}|\d{2}-\d{4}|\d{2}-\d{2}|\d{4}|\d{3})$/, ''],
];

const SEPARATORS = /[._ @:]/g;

const MAX_NAME_LENGTH = 256;
const MAX_PARTS = 8;
const MAX_REDUCTIONS = 8;

/** Other names of providers. */
const PROVIDERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    openai: ['text-completion-openai', 'openai_chat', 'openai.chat', 'openai.responses'],
    anthropic: ['claude'],
    azure: ['azure_ai', 'azure_text', 'azure_openai', 'azure-openai', 'azure.ai.openai', 'az.ai.openai', 'azureopenai'],
    aws: [
      'bedrock',
      'bedrock_converse',
      'bedrock_mantle',
      'amazon-bedrock',
      'amazon_bedrock',
      'aws_bedrock',
      'aws.bedrock',
      'sagemaker',
      'amazon_nova',
    ],
    google: [
      'gemini',
      'vertex_ai',
      'vertexai',
      'vertex',
      'google_genai',
      'google_vertexai',
      'google-vertex',
      'google-ai-studio',
      'gcp.vertex_ai',
      'gcp.gemini',
    ],
    mistralai: ['mistral', 'mistral_ai', 'codestral', 'text-completion-codestral'],
    cohere: ['cohere_chat'],
    fireworks: ['fireworks_ai', 'fireworks-ai', 'fireworks_ai-embedding-models'],
    together: ['together_ai', 'togetherai', 'together-ai'],
    moonshot: ['moonshotai', 'moonshot_ai'],
    meta: ['meta_llama', 'meta-llama'],
    xai: ['x_ai', 'x-ai', 'grok'],
    zai: ['z-ai', 'z_ai', 'bigmodel', 'zhipuai'],
    deepseek: ['deepseek-ai'],
    dashscope: ['qwen', 'alibaba', 'qwencloud', 'qwen_ai_platform'],
    ollama: ['ollama_chat'],
    groq: [],
    perplexity: [],
    cerebras: [],
    minimax: [],
    lmstudio: ['lm_studio', 'lm-studio'],
    vllm: ['hosted_vllm'],
    'llama.cpp': ['llama_cpp', 'llamacpp', 'llamafile'],
    localai: [],
    xinference: [],
    'text-generation-inference': ['tgi'],
  }).flatMap(([name, others]) => [name, ...others].map((other) => [other, name] as const)),
);

const SELF_HOSTED: ReadonlySet<string> = new Set([
  'ollama',
  'lmstudio',
  'vllm',
  'llama.cpp',
  'localai',
  'xinference',
  'text-generation-inference',
]);
