import { Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { floorToHour, listHours } from './schedule.ts';
import { CODING_AGENT } from './scenarios/coding-agent.ts';
import { LONG_MIGRATION, WIDE_RENAME } from './scenarios/long-runs.ts';
import { SUPPORT_CHAT } from './scenarios/support-chat.ts';
import { TRAVEL_ASSISTANT } from './scenarios/travel-assistant.ts';
import type { RecordedTrace } from './trace.ts';

const SCENARIOS: readonly Scenario[] = [SUPPORT_CHAT, CODING_AGENT, LONG_MIGRATION, WIDE_RENAME, TRAVEL_ASSISTANT];

export interface WeekOptions {
  readonly seed: string;
  readonly days: number;
  readonly scale: number;
  /** The period ends with the last full hour before this time. */
  readonly untilMs: number;
}

/**
 * Yields the traffic of the period, hour by hour. What happens in an hour depends on the seed and that hour alone, so
 * a later run repeats the same traces and adds those of the hours since.
 */
export function* recordWeek({ seed, days, scale, untilMs }: WeekOptions): Generator<RecordedTrace> {
  const endMs = floorToHour(untilMs);
  const endUnixNano = BigInt(endMs) * 1_000_000n;
  for (const hourMs of listHours(endMs - days * 86_400_000, endMs)) {
    for (const scenario of SCENARIOS) {
      const random = new Random(seed, scenario.name, hourMs);
      const expected = scenario.startsIn(hourMs) * (scenario.isScaled ? scale : 1);
      const startCount = Math.floor(expected + random.next());
      for (let position = 0; position < startCount; position++) {
        const own = random.fork(position);
        const startTimeMs = Math.floor(hourMs + own.between(0, 3_600_000));
        for (const trace of scenario.record(own, startTimeMs)) {
          if (trace.endTimeUnixNano < endUnixNano) yield trace;
        }
      }
    }
  }
}
