/** What is done to many rows: what one transaction can do is done in the command, for more it begins a job. */
import { AppError } from '#base/errors';
import { assertInReach } from '#domain/access';
import { authoredBy, authorOf, faultOfAnnotation } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import { beginBulkAction } from '#store/bulk/begin';
import {
  type AnnotateRequest,
  type BulkAction,
  type BulkDeed,
  type BulkRequest,
  describeCounts,
  faultOfSample,
  type MoveRequest,
  type QueueRequest,
} from '#store/bulk/bulk-action';
import { cancelBulkAction } from '#store/bulk/steps';
import { defineCommands, growing, telemetryCommand, type TelemetryScope } from '#store/commands/command';
import { bulkPolicy } from './policy.ts';

/** An action to be ended; of that project, where one is given. */
export interface CancelInput {
  readonly rowId: number;
  readonly projectRowId?: number | undefined;
}

/** The commands. Each gives the action as it is then. */
export const bulkCommands = defineCommands(growing(bulkPolicy, 'move'), {
  /** @throws AppError `not_found`, `resource_exhausted`; `permission_denied` for a project out of reach */
  delete: telemetryCommand(
    (scope, caller, request: BulkRequest): Promise<BulkAction> => begin(scope, caller, request, { kind: 'delete' }),
  ),

  /** @throws AppError as for deleting, of both projects; `invalid_argument` where they are the same */
  move: telemetryCommand((scope, caller, { toProjectRowId, ...request }: MoveRequest): Promise<BulkAction> => {
    assertInReach(caller, toProjectRowId);
    return begin(scope, caller, request, { kind: 'move', toProjectRowId });
  }),

  /** @throws AppError as for deleting; `invalid_argument` for what cannot be said, or a strict config refuses */
  annotate: telemetryCommand((scope, caller, { said, ...request }: AnnotateRequest): Promise<BulkAction> => {
    const fault = faultOfAnnotation(said);
    if (fault !== null) throw new AppError('invalid_argument', fault);
    return begin(scope, caller, request, { kind: 'annotate', said: authoredBy(caller, said) });
  }),

  /** @throws AppError as for deleting, also where there is no such queue; `invalid_argument` where it holds other rows */
  queue: telemetryCommand((scope, caller, { queueRowId, sample, ...request }: QueueRequest): Promise<BulkAction> => {
    const fault = sample === null ? null : faultOfSample(sample);
    if (fault !== null) throw new AppError('invalid_argument', fault);
    return begin(scope, caller, request, { kind: 'queue', queueRowId, sample, addedByRowId: authorOf(caller) });
  }),

  /** @throws AppError `not_found`, `failed_precondition` where it is over */
  cancel: telemetryCommand(async (scope, caller, input: CancelInput): Promise<BulkAction> => {
    const action = await cancelBulkAction(scope, input, scope.nowUs);
    assertInReach(caller, action.projectRowId);
    const changes = ['cancelled', ...describeCounts(action, action)];
    const object = { type: 'BulkAction', id: action.rowId, name: action.kind };
    scope.note({ object, projectRowId: action.projectRowId, changes });
    return action;
  }),
});

/** What callers in other threads get. */
export type BulkCommands = typeof bulkCommands;

/** Its row in the log says what was done, or that it was begun; the end of a job has a row of its own. */
async function begin(scope: TelemetryScope, caller: Caller, request: BulkRequest, deed: BulkDeed): Promise<BulkAction> {
  assertInReach(caller, request.projectRowId);
  const { action, touched } = await beginBulkAction(scope, request, deed, scope.nowUs);
  for (const place of touched) scope.touch(place);
  const { rowId, kind, projectRowId } = action;
  const isDone = action.state === 'done';
  scope.note({
    object: { type: 'BulkAction', id: rowId, name: kind },
    projectRowId,
    changes: isDone ? describeCounts(action, action) : ['begun'],
  });
  return action;
}
