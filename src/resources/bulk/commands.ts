/** Deletes and moves of many rows: what one transaction can do is done in the command, for more it begins a job. */
import { assertInReach } from '#domain/access';
import { beginBulkAction } from '#store/bulk/begin';
import { type BulkAction, type BulkRequest, describeCounts } from '#store/bulk/bulk-action';
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
  delete: telemetryCommand((scope, caller, request: BulkRequest): Promise<BulkAction> => {
    assertInReach(caller, request.projectRowId);
    return begin(scope, request, null);
  }),

  /** @throws AppError as for deleting, of both projects; `invalid_argument` where they are the same */
  move: telemetryCommand(
    (
      scope,
      caller,
      { toProjectRowId, ...request }: BulkRequest & { readonly toProjectRowId: number },
    ): Promise<BulkAction> => {
      assertInReach(caller, request.projectRowId);
      assertInReach(caller, toProjectRowId);
      return begin(scope, request, toProjectRowId);
    },
  ),

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
async function begin(scope: TelemetryScope, request: BulkRequest, toProjectRowId: number | null): Promise<BulkAction> {
  const { action, touched } = await beginBulkAction(scope, request, toProjectRowId, scope.nowUs);
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
