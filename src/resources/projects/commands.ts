/** Changes of projects that people make. The span writer makes others, where spans arrive for a project that is not there. */
import { AppError } from '#base/errors';
import { boundedText, MAX_ROW_TEXT, MAX_ROW_TEXT_BYTES } from '#derive/bounded-text';
import type { Project } from '#domain/project';
import { assertProjectName, checkLook, type ProjectLook } from '#domain/project-look';
import type { AuditNote } from '#store/commands/audit';
import { defineCommands, growing, telemetryCommand } from '#store/commands/command';
import { newProjectRow } from '#store/projects/new-project-row';
import { PROJECT_COLUMNS } from '#store/projects/relational-projects';
import { projectPolicy } from './policy.ts';

/** The commands. */
export const projectCommands = defineCommands(growing(projectPolicy, 'create', 'patch'), {
  /**
   * A new project; white space around the name does not count.
   * @throws AppError `already_exists`; `invalid_argument` for a name, a description or a colour that is none
   */
  create: telemetryCommand(
    async (scope, _caller, { name, ...look }: ProjectLook & { readonly name: string }): Promise<Project> => {
      const trimmed = name.trim();
      assertProjectName(trimmed, { bounded: boundedText, maxCharacters: MAX_ROW_TEXT, maxBytes: MAX_ROW_TEXT_BYTES });
      const project = await scope.db
        .insertInto('projects')
        .values({ ...newProjectRow(trimmed), ...toColumns(checkLook(look)) })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning(PROJECT_COLUMNS)
        .executeTakeFirst();
      if (project === undefined) throw new AppError('already_exists', `A project named ${trimmed} already exists.`);
      scope.touch({ projectRowId: project.rowId, traceIds: [] });
      scope.note(noteOf(project, ['name', ...Object.keys(toColumns(look))]));
      return project;
    },
  ),

  /** @throws AppError `not_found`; `invalid_argument` for a description or a colour that is none */
  patch: telemetryCommand(
    async (scope, _caller, { rowId, ...look }: ProjectLook & { readonly rowId: number }): Promise<Project> => {
      const project = await scope.db
        .updateTable('projects')
        .set({ ...toColumns(checkLook(look)), updated_at_us: scope.nowUs })
        .where('id', '=', rowId)
        .returning(PROJECT_COLUMNS)
        .executeTakeFirst();
      if (project === undefined) throw new AppError('not_found', 'There is no such project.');
      scope.touch({ projectRowId: rowId, traceIds: [] });
      scope.note(noteOf(project, Object.keys(toColumns(look))));
      return project;
    },
  ),
});

/** What callers in other threads get. */
export type ProjectCommands = typeof projectCommands;

function noteOf({ rowId, name }: Project, changes: readonly string[]): AuditNote {
  return { object: { type: 'Project', id: rowId, name }, projectRowId: rowId, changes };
}

function toColumns({ description, gradientStartColor, gradientEndColor, defaultTab }: ProjectLook) {
  return {
    ...(description !== undefined && { description }),
    ...(gradientStartColor !== undefined && { gradient_start_color: gradientStartColor }),
    ...(gradientEndColor !== undefined && { gradient_end_color: gradientEndColor }),
    ...(defaultTab !== undefined && { default_tab: defaultTab }),
  };
}
