import { MAX_PAGE_ROWS } from '#api/graphql/connection';
import { toRowId } from '#api/graphql/nodes';
import type { SchemaKit } from '#api/graphql/schema';
import { AppError } from '#base/errors';
import {
  deleteProject,
  deleteProjectTraces,
  deleteTraces,
  type RemovalParts,
  transferTracesByRow,
} from './operations.ts';
import { deletionPolicy } from './policy.ts';

/** Adds what deletes and moves. Each answers with the query type, to read the new state in the same request. */
export function addRemovalTypes({ builder }: SchemaKit, parts: RemovalParts): void {
  const clear = builder.inputType('ClearProjectInput', {
    fields: (t) => ({ id: t.id({ required: true }), endTime: t.field({ type: 'DateTime' }) }),
  });
  builder.mutationFields((t) => ({
    deleteProject: t.field({
      type: 'Query',
      access: deletionPolicy.deleteProject,
      description: 'Deletes the project and everything in it. The project `default` cannot be deleted.',
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { caller }) => {
        await deleteProject(caller, parts, toRowId('Project', id));
        return {};
      },
    }),
    clearProject: t.field({
      type: 'Query',
      access: deletionPolicy.clearProject,
      description:
        'Deletes the traces of a project, or, with an end time, only those that start before it. The project itself is kept.',
      args: { input: t.arg({ type: clear, required: true }) },
      resolve: async (_root, { input }, { caller }) => {
        const stretch = { startTimeUs: null, endTimeUs: input.endTime ?? null };
        await deleteProjectTraces(caller, parts, toRowId('Project', input.id), stretch);
        return {};
      },
    }),
    deleteTraces: t.field({
      type: 'Query',
      access: deletionPolicy.deleteTraces,
      description: 'Deletes traces of one project, and the sessions that this leaves empty.',
      args: { traceIds: t.arg.idList({ required: true }) },
      resolve: async (_root, { traceIds }, { caller }) => {
        await deleteTraces(caller, parts, toRowIds(traceIds));
        return {};
      },
    }),
    transferTracesToProject: t.field({
      type: 'Query',
      access: deletionPolicy.transferTraces,
      description: 'Moves traces from one project to another. Each trace joins the session there that has the same id.',
      args: { traceIds: t.arg.idList({ required: true }), projectId: t.arg.id({ required: true }) },
      resolve: async (_root, { traceIds, projectId }, { caller }) => {
        await transferTracesByRow(caller, parts, toRowIds(traceIds), toRowId('Project', projectId));
        return {};
      },
    }),
  }));
}

function toRowIds(ids: readonly (string | number)[]): readonly number[] {
  if (ids.length > MAX_PAGE_ROWS) {
    throw new AppError('invalid_argument', `At most ${MAX_PAGE_ROWS} traces can be named at once.`);
  }
  return [...new Set(ids.map((id) => toRowId('Trace', String(id))))];
}
