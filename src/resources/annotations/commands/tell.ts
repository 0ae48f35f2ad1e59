/** What changes of annotations leave in the log, and whom they tell. */
import { ANNOTATION_TYPES, type AnnotationTarget } from '#domain/annotation';
import type { RecordScope } from '#store/commands/command';

type Telling = Pick<RecordScope, 'note' | 'touch'>;

interface Changed {
  readonly rowId: number;
  readonly target: AnnotationTarget;
  readonly name: string;
  readonly projectRowId: number;
}

/** Names few annotations one by one, and many by their projects: a program may store thousands a minute. */
export function noteChanges(scope: Telling, changed: readonly Changed[], changes: readonly string[]): void {
  const unique = [...new Map(changed.map((annotation) => [annotation.rowId, annotation])).values()];
  if (unique.length <= MAX_NOTED) {
    for (const { rowId, target, name, projectRowId } of unique) {
      scope.note({ object: { type: ANNOTATION_TYPES[target], id: rowId, name }, projectRowId, changes });
    }
    return;
  }
  const projects = Map.groupBy(unique, ({ projectRowId }) => projectRowId);
  for (const [projectRowId, [first]] of projects) {
    const what = `${first?.target}_annotations`;
    scope.note({ object: { type: 'Project', id: projectRowId }, projectRowId, changes: [what, ...changes] });
  }
}

const MAX_NOTED = 20;

/** Has pages that show the projects refresh. */
export function touchProjects(scope: Telling, changed: readonly Changed[]): void {
  for (const projectRowId of new Set(changed.map((annotation) => annotation.projectRowId))) {
    scope.touch({ projectRowId, traceIds: null });
  }
}

/** Both of these, of annotations that programs send in the background. */
export function tellProjects(scope: Telling, target: AnnotationTarget, projectRowIds: Iterable<number>): void {
  for (const projectRowId of projectRowIds) {
    scope.note({ object: { type: 'Project', id: projectRowId }, projectRowId, changes: [`${target}_annotations`] });
    scope.touch({ projectRowId, traceIds: null });
  }
}
