/** What is done to the rows of a bulk action, by its kind. */
import { annotating } from './annotate-rows.ts';
import type { BulkDeed } from './bulk-action.ts';
import { DELETING } from './delete-rows.ts';
import type { BulkDoing } from './doing.ts';
import { movingTo } from './move-rows.ts';
import { queueing } from './queue-rows.ts';

/** How the deed is done. */
export function doingOf(deed: BulkDeed): BulkDoing {
  switch (deed.kind) {
    case 'delete':
      return DELETING;
    case 'move':
      return movingTo(deed.toProjectRowId);
    case 'annotate':
      return annotating(deed.said);
    case 'queue':
      return queueing(deed);
    default:
      return deed satisfies never;
  }
}
