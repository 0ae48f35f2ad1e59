/** Who answers, in OpenInference's words. */
export interface Provider {
  /** The host; absent where it has no name in OpenInference. */
  readonly provider?: string;
  /** The family of products. */
  readonly system?: string;
}

/** Reads `gen_ai.provider.name` or the older `gen_ai.system`; a name that nobody listed is the system as sent. */
export function readProvider(name: string): Provider {
  const known = PROVIDERS.get(name.toLowerCase());
  return known ?? { system: name };
}

/** @see https://github.com/Arize-ai/openinference/blob/main/spec/llm_spans.md */
const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ['openai', { provider: 'openai', system: 'openai' }],
  ['anthropic', { provider: 'anthropic', system: 'anthropic' }],
  ['cohere', { provider: 'cohere', system: 'cohere' }],
  ['mistral_ai', { provider: 'mistralai', system: 'mistralai' }],
  ['deepseek', { provider: 'deepseek' }],
  ['groq', { provider: 'groq' }],
  ['perplexity', { provider: 'perplexity' }],
  ['meta', { provider: 'meta' }],
  ['zai', { provider: 'zai' }],
  ['minimax', { provider: 'minimax' }],
  ['x_ai', { provider: 'xai' }],
  ['xai', { provider: 'xai' }],
  ['azure.ai.openai', { provider: 'azure', system: 'openai' }],
  ['az.ai.openai', { provider: 'azure', system: 'openai' }],
  ['azure.ai.inference', { provider: 'azure' }],
  ['az.ai.inference', { provider: 'azure' }],
  ['aws.bedrock', { provider: 'aws' }],
  ['gcp.vertex_ai', { provider: 'google', system: 'vertexai' }],
  ['vertex_ai', { provider: 'google', system: 'vertexai' }],
  ['gcp.gemini', { provider: 'google' }],
  ['gemini', { provider: 'google' }],
  ['gcp.gen_ai', { provider: 'google' }],
]);
