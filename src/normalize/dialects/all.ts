import type { Dialect } from './dialect.ts';
import * as genAiEvents from './gen-ai-events.ts';
import * as genAi from './gen-ai.ts';
import * as openinference from './openinference.ts';

/**
 * Every dialect that is understood. What an earlier one filled in, a later one leaves alone; OpenInference is last,
 * because it reads what the others translated into it.
 */
export const DIALECTS: readonly Dialect[] = [genAi, genAiEvents, openinference];
