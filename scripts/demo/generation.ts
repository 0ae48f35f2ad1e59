import {
  type AssistantMessage,
  countMessageTokens,
  countTokens,
  type Message,
  type ScriptedCall,
  type ToolCall,
  type ToolDefinition,
} from './conversation.ts';
import { type Fault, type Runtime, rateLimited, timedOut } from './faults.ts';
import type { Model, Usage } from './models.ts';
import type { Random } from './random.ts';

/** How often a model call goes wrong. */
export interface FaultOdds {
  readonly rateLimit: number;
  readonly timeout: number;
}

export interface FailedAttempt {
  readonly fault: Fault;
  readonly durationMs: number;
  /** How long the client waits before it tries again. */
  readonly backoffMs: number;
}

/** A call of a script that a model has made. */
export interface IssuedCall extends ScriptedCall {
  readonly call: ToolCall;
}

/** A client gives up after so many attempts. */
export const MAX_ATTEMPTS = 3;

/** The attempts that fail before one succeeds; as many as `MAX_ATTEMPTS` when none does. */
export function drawFailedAttempts(random: Random, model: Model, runtime: Runtime, odds: FaultOdds): FailedAttempt[] {
  const failures: FailedAttempt[] = [];
  let rateLimit = odds.rateLimit;
  while (failures.length < MAX_ATTEMPTS) {
    if (random.chance(rateLimit)) {
      const waitSeconds = random.between(0.4, 4);
      failures.push({
        fault: rateLimited(runtime, model.name, waitSeconds),
        durationMs: random.skewed(90),
        backoffMs: waitSeconds * 1000,
      });
      // A limit that is reached tends to stay so for a while.
      rateLimit = Math.max(rateLimit, 0.3);
    } else if (random.chance(odds.timeout)) {
      failures.push({ fault: timedOut(runtime, 60), durationMs: 60_000 + random.between(2, 40), backoffMs: 500 });
    } else break;
  }
  return failures;
}

/** The tokens of a call whose first `knownCount` messages were sent before, so that the provider has them in its cache. */
export function drawUsage(
  random: Random,
  call: {
    readonly model: Model;
    readonly messages: readonly Message[];
    readonly tools: readonly ToolDefinition[];
    readonly reply: AssistantMessage;
    readonly knownCount: number;
  },
): Usage {
  const { model, messages, tools, reply, knownCount } = call;
  const tokenCounts = messages.map(countMessageTokens);
  const toolTokens = countTokens(JSON.stringify(tools));
  const promptTokens = toolTokens + sum(tokenCounts);
  const knownTokens = knownCount === 0 ? 0 : toolTokens + sum(tokenCounts.slice(0, knownCount));
  const isCachedByHint = model.provider === 'anthropic';
  const cacheReadTokens = knownTokens < 1024 ? 0 : isCachedByHint ? knownTokens : Math.floor(knownTokens / 128) * 128;
  const reasoningTokens =
    model.reasoningTokenCount === 0 ? 0 : Math.round(random.skewed(model.reasoningTokenCount, 0.7));
  return {
    promptTokens,
    cacheReadTokens,
    cacheWriteTokens: isCachedByHint && promptTokens >= 1024 ? promptTokens - cacheReadTokens : 0,
    completionTokens: reasoningTokens + countMessageTokens(reply) + countTokens(reply.reasoning ?? ''),
    reasoningTokens,
  };
}

/** How long the call takes until the first token that the user sees, and from there to the end. */
export function drawLatency(random: Random, model: Model, usage: Usage): { firstTokenMs: number; restMs: number } {
  const perTokenMs = 1000 / random.skewed(model.tokensPerSecond, 0.15);
  const readMs = (usage.promptTokens - usage.cacheReadTokens) * 0.02;
  return {
    firstTokenMs: random.skewed(model.firstTokenMs) + readMs + usage.reasoningTokens * perTokenMs,
    restMs: (usage.completionTokens - usage.reasoningTokens) * perTokenMs,
  };
}

/** The calls of a script with ids such as the provider gives them. */
export function drawCalls(random: Random, model: Model, scripted: readonly ScriptedCall[]): IssuedCall[] {
  return scripted.map((one) => ({
    ...one,
    call: {
      id: `${model.callIdPrefix}${random.token(model.callIdPrefix === '' ? 9 : 22)}`,
      name: one.tool,
      arguments: one.arguments,
    },
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
