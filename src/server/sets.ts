import { setCatalogue } from '#store/sets/define-set';

/** The sets of resources that filters can ask spans, traces and sessions to be in. */
export const SETS = setCatalogue([]);
