import type { RecordHooks } from '#store/records/hooks';

/** Of the slices whose records hang on traces, spans or sessions: what the writer runs when any of those go or move. */
export const RECORD_HOOKS: readonly RecordHooks[] = [];
