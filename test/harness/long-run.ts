/** How much tests try: `npm test` tries what finds most faults in little time, `npm run test:long` everything. */

/** Whether the run is the long one. */
export const IS_LONG = process.env['CAIRN_TEST_LONG'] === '1';

/** A number of rounds, or another measure of how much is tried. */
export function orInLongRun<T>(usual: T, long: T): T {
  return IS_LONG ? long : usual;
}
