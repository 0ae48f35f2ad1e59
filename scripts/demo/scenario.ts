import type { Random } from './random.ts';
import type { RecordedTrace } from './trace.ts';

/** One kind of traffic. */
export interface Scenario {
  /** Names the kind in the seeds of its random numbers. */
  readonly name: string;
  /** How many sessions or jobs start in this hour on average; a whole number when `isScaled` is false. */
  startsIn(hourMs: number): number;
  /** Whether the number grows with the demo's scale. */
  readonly isScaled: boolean;
  /** All traces of one session or job. */
  record(random: Random, startTimeMs: number): readonly RecordedTrace[];
}
