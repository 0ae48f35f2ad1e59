import type { ScriptedCall } from '../conversation.ts';
import type { PictureName } from '../pictures.ts';
import type { SupportFacts } from './support-facts.ts';

export interface SupportTurn {
  readonly user: string;
  /** A picture that the customer attaches. */
  readonly picture?: PictureName;
  /** The help-centre articles that answer the question; none when nothing is searched for. */
  readonly articles?: readonly string[];
  readonly calls?: readonly ScriptedCall[];
  readonly assistant: string;
  /** Why the first guardrail stops the turn; the answer is then canned. */
  readonly blockedFor?: string;
}

export interface SupportScript {
  readonly topic: string;
  /** How often it comes up in relation to the others. */
  readonly weight: number;
  readonly language?: string;
  turns(facts: SupportFacts): readonly SupportTurn[];
}
