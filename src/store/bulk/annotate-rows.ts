/** Annotates rows: all get what one caller says, each in place of what that caller said of it before under the same name. */
import { AppError } from '#base/errors';
import { nextMomentUs } from '#base/moment';
import { type AuthoredAnnotation, NO_POSITION } from '#domain/annotation';
import { storeAnnotations } from '../annotations/write/annotation-rows.ts';
import { findConfigFault } from '../annotations/write/strict-configs.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import { doingWithRows, isAccountThere } from './act-on-rows.ts';
import { type BulkDoing, ROWS_AT_ONCE } from './doing.ts';

/** See the file. */
export function annotating(said: AuthoredAnnotation): BulkDoing {
  return doingWithRows({
    most: rowsATransaction(said),
    doWith: async (scope, { projectRowId, isAtOnce, askedAtUs }, target, rowIds) => {
      const shared = { ...said, documentPosition: NO_POSITION, projectRowId, atUs: askedAtUs, isCarried: false };
      const annotations = rowIds.map((targetRowId) => ({ ...shared, targetRowId }));
      // Of a job, what its author has said of a row since it was asked for stays.
      await storeAnnotations(scope, target, annotations, { keepsNewer: !isAtOnce });
      return [{ projectRowId, traceIds: null, changedAtUs: nextMomentUs() }];
    },
    findObstacle: async (scope) => {
      const fault = (await findAuthorFault(scope, said)) ?? (await findConfigFault(scope, said));
      return fault === null ? null : new AppError('invalid_argument', fault);
    },
  });
}

async function findAuthorFault(scope: DeriveScope, { userRowId }: AuthoredAnnotation): Promise<string | null> {
  if (userRowId === null || (await isAccountThere(scope, userRowId))) return null;
  return 'The account that these annotations are by was deleted.';
}

/** Long texts are stored once for each row. */
function rowsATransaction({ explanation, metadata }: AuthoredAnnotation): number {
  const characters = (explanation?.length ?? 0) + metadata.length;
  return Math.min(ROWS_AT_ONCE, Math.max(1, Math.floor(MAX_CHARACTERS / Math.max(characters, 1))));
}

const MAX_CHARACTERS = 4 * 1024 * 1024;
