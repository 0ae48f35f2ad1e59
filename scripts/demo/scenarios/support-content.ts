import { readContent } from '../content.ts';
import type { JsonObject, ScriptedCall, ToolDefinition } from '../conversation.ts';

interface ScriptedTurn {
  /** What the customer writes, or ways to write it. */
  readonly user: string | readonly string[];
  /** A picture that the customer attaches. */
  readonly picture?: string;
  /** The help-centre articles that answer the question; none when nothing is searched for. */
  readonly articles?: readonly string[];
  readonly calls?: readonly ScriptedCall[];
  readonly assistant: string;
  /** Why the first guardrail stops the turn; the answer is then canned. */
  readonly blockedFor?: string;
}

export interface SupportTurn extends ScriptedTurn {
  readonly user: string;
}

export interface SupportScript {
  readonly topic: string;
  /** How often it comes up in relation to the others. */
  readonly weight: number;
  readonly language?: string;
  readonly turns: readonly ScriptedTurn[];
}

interface Article {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly updated: string;
  readonly text: string;
}

/** Harrow & Pine, an invented shop for outdoor gear. */
export const SUPPORT = readContent<{
  readonly template: string;
  readonly tools: readonly ToolDefinition[];
  readonly scripts: readonly SupportScript[];
  readonly articles: readonly Article[];
  readonly products: readonly JsonObject[];
  /** Names of customers by their language. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly cities: readonly string[];
}>('support');
