/** Who answers, in OpenInference's words. */
export interface Provider {
  /** The host; absent where it has no name in OpenInference. */
  readonly provider?: string;
  /** The family of products. */
  readonly system?: string;
}

/**
 * Reads `gen_ai.provider.name` or the older `gen_ai.system`; a name that nobody listed is the system as sent. A framework
 * that names itself says nothing of who answers.
 */
export function readProvider(name: string): Provider {
  const known = name.toLowerCase();
  if (FRAMEWORKS.has(known)) return {};
  return PROVIDERS.get(known) ?? { system: name };
}

/** What frameworks put in the place of a provider. */
const FRAMEWORKS: ReadonlySet<string> = new Set([
  'strands-agents',
  'microsoft.agent_framework',
  'microsoft.agents.ai',
  'autogen',
  'ag2',
  'langchain',
  'langgraph',
  'llama_index',
  'llamaindex',
  'haystack',
  'crewai',
  'gcp.vertex.agent',
  'spring_ai',
  'pydantic_ai',
  'pydantic-ai',
]);

/** @see https://github.com/Arize-ai/openinference/blob/main/spec/llm_spans.md */
const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ['openai', { provider: 'openai', system: 'openai' }],
  ['anthropic', { provider: 'anthropic', system: 'anthropic' }],
  ['cohere', { provider: 'cohere', system: 'cohere' }],
  ['mistral_ai', { provider: 'mistralai', system: 'mistralai' }],
  ['mistralai', { provider: 'mistralai', system: 'mistralai' }],
  ['mistral', { provider: 'mistralai', system: 'mistralai' }],
  ['deepseek', { provider: 'deepseek' }],
  ['groq', { provider: 'groq' }],
  ['perplexity', { provider: 'perplexity' }],
  ['meta', { provider: 'meta' }],
  ['zai', { provider: 'zai' }],
  ['minimax', { provider: 'minimax' }],
  ['moonshot_ai', { provider: 'moonshot' }],
  ['ollama', { provider: 'ollama' }],
  ['cerebras', { provider: 'cerebras' }],
  ['fireworks', { provider: 'fireworks' }],
  ['together', { provider: 'together' }],
  ['togetherai', { provider: 'together' }],
  ['together_ai', { provider: 'together' }],
  ['x_ai', { provider: 'xai' }],
  ['xai', { provider: 'xai' }],
  ['azure.ai.openai', { provider: 'azure', system: 'openai' }],
  ['az.ai.openai', { provider: 'azure', system: 'openai' }],
  ['azure_openai', { provider: 'azure', system: 'openai' }],
  ['azure', { provider: 'azure' }],
  ['azure.ai.inference', { provider: 'azure' }],
  ['az.ai.inference', { provider: 'azure' }],
  ['aws.bedrock', { provider: 'aws' }],
  ['aws_bedrock', { provider: 'aws' }],
  ['bedrock', { provider: 'aws' }],
  ['aws', { provider: 'aws' }],
  ['gcp.vertex_ai', { provider: 'google', system: 'vertexai' }],
  ['vertex_ai', { provider: 'google', system: 'vertexai' }],
  ['vertexai', { provider: 'google', system: 'vertexai' }],
  ['google', { provider: 'google' }],
  ['gcp.gemini', { provider: 'google' }],
  ['gemini', { provider: 'google' }],
  ['gcp.gen_ai', { provider: 'google' }],
]);
