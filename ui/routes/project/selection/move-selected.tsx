import { useState } from 'react';
import { graphql } from 'react-relay';
import type { moveSelectedMutation } from '#ui/__generated__/moveSelectedMutation.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { toBulkInput, upTo } from './bulk-input.ts';
import type { SelectedProps } from './delete-selected.tsx';
import { ProjectChoice } from './project-choice.tsx';
import { type SelectedCount, useSelectedCount } from './use-selected-count.ts';

const MOVE = graphql`
  mutation moveSelectedMutation($input: BulkSelectionInput!, $toProjectId: ID!) {
    bulkMove(input: $input, toProjectId: $toProjectId) {
      ...bulkActions_action
    }
  }
`;

/** Asks where the selected rows are to go, and moves them. */
export function MoveSelected({ scope, selection, onClose, onStarted }: SelectedProps) {
  const { noun } = useListContext();
  const [frozen] = useState(() => upTo(scope, Date.now()));
  const count = useSelectedCount(frozen, selection);
  const [toProjectId, setToProjectId] = useState<string>();
  const move = useCommit<moveSelectedMutation>(MOVE);
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (toProjectId === undefined) return false;
    const { bulkMove } = await move({ input: toBulkInput(frozen, selection), toProjectId });
    onClose();
    onStarted(bulkMove);
    return undefined;
  });
  const named = nounOf(count.rows ?? 2, scope.grain === 'span' ? 'traces' : noun);
  return (
    <FormDialog
      title={`Move ${named}`}
      verb={`Move ${named}`}
      isPending={isPending}
      canSubmit={toProjectId !== undefined && count.rows !== undefined && count.rows > 0}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <p>{describe(scope.grain, count, noun)}</p>
      <ProjectChoice label="Move to" without={scope.projectId} chosenId={toProjectId} onChoose={setToProjectId} />
    </FormDialog>
  );
}

function describe(grain: ListScope['grain'], { rows, isExact, parts }: SelectedCount, noun: string): string {
  if (rows === undefined) return 'Counting…';
  const amount = `${isExact ? '' : 'more than '}${formatExact(rows)} ${nounOf(rows, noun)}`;
  switch (grain) {
    case 'span':
      return `Moves the traces of ${amount} to another project, each trace whole.`;
    case 'trace':
      return `Moves ${amount} with ${parts ?? 'all their spans'} to another project. Each trace joins the session of the same id there.`;
    case 'session':
      return `Moves ${amount} with ${parts ?? 'all their traces'} to another project.`;
    default:
      return grain satisfies never;
  }
}
