import * as agentFramework from './agent-framework.ts';
import * as anthropic from './anthropic.ts';
import * as autogen from './autogen.ts';
import * as claudeCode from './claude-code.ts';
import type { Dialect } from './dialect.ts';
import * as genAi from './gen-ai.ts';
import * as genAiEvents from './gen-ai-events.ts';
import * as googleAdk from './google-adk.ts';
import * as haystack from './haystack.ts';
import * as langfuse from './langfuse.ts';
import * as langsmith from './langsmith.ts';
import * as litellm from './litellm.ts';
import * as llamaindex from './llamaindex.ts';
import * as mastra from './mastra.ts';
import * as mcp from './mcp.ts';
import * as mlflow from './mlflow.ts';
import * as openaiAgents from './openai-agents.ts';
import * as openinference from './openinference.ts';
import * as openinferenceValues from './openinference-values.ts';
import * as openinferenceVercel from './openinference-vercel.ts';
import * as openlit from './openlit.ts';
import * as openllmetry from './openllmetry.ts';
import * as pydanticAi from './pydantic-ai.ts';
import * as semanticKernel from './semantic-kernel.ts';
import * as streamEvents from './stream-events.ts';
import * as strands from './strands.ts';
import * as vercelAi from './vercel-ai.ts';

/**
 * Every dialect that is understood. What an earlier one filled in, a later one leaves alone: a library's own names go
 * before the conventions that it follows beside them. OpenInference is last, because it reads what the others translated
 * into it.
 */
export const DIALECTS: readonly Dialect[] = [
  langfuse,
  langsmith,
  mlflow,
  litellm,
  haystack,
  llamaindex,
  pydanticAi,
  vercelAi,
  openinferenceVercel,
  mastra,
  claudeCode,
  anthropic,
  googleAdk,
  openllmetry,
  openlit,
  strands,
  semanticKernel,
  agentFramework,
  autogen,
  openaiAgents,
  mcp,
  genAiEvents,
  genAi,
  // After those who speak where an attribute of the conventions is.
  streamEvents,
  openinferenceValues,
  openinference,
];
