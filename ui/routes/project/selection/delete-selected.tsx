import { useState } from 'react';
import { graphql } from 'react-relay';
import type { deleteSelectedMutation } from '#ui/__generated__/deleteSelectedMutation.graphql.ts';
import type { Selection } from '#ui/components/data-table/selection.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { ConfirmDeletion } from '../../deletion/confirm-deletion.tsx';
import { useCommit } from '../../deletion/use-commit.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import type { BulkAction } from './bulk-actions.ts';
import { toBulkInput, upTo } from './bulk-input.ts';
import { type SelectedCount, useSelectedCount } from './use-selected-count.ts';

const DELETE = graphql`
  mutation deleteSelectedMutation($input: BulkSelectionInput!) {
    bulkDelete(input: $input) {
      ...bulkActions_action
    }
  }
`;

/** What windows about selected rows are given. */
export interface SelectedProps {
  readonly scope: ListScope;
  readonly selection: Selection;
  readonly onClose: () => void;
  readonly onStarted: (action: BulkAction) => void;
}

/** Asks whether the selected rows are to be deleted, counts what goes, and deletes it. */
export function DeleteSelected({ scope, selection, onClose, onStarted }: SelectedProps) {
  const { noun } = useListContext();
  // What is counted is what is deleted, however long somebody thinks about it.
  const [frozen] = useState(() => upTo(scope, Date.now()));
  const count = useSelectedCount(frozen, selection);
  const { rows, isExact } = count;
  const remove = useCommit<deleteSelectedMutation>(DELETE);
  const named = nounOf(rows ?? 2, noun);
  return (
    <ConfirmDeletion
      title={`Delete ${named}`}
      verb={`Delete ${named}`}
      name={rows === undefined || (rows === 1 && isExact) ? undefined : String(rows)}
      canConfirm={rows !== undefined && rows > 0}
      onClose={onClose}
      onConfirm={async () => {
        const { bulkDelete } = await remove({ input: toBulkInput(frozen, selection) });
        onClose();
        onStarted(bulkDelete);
      }}
    >
      <p>{describe(scope.grain, count, noun)} This cannot be undone.</p>
    </ConfirmDeletion>
  );
}

function describe(grain: ListScope['grain'], { rows, isExact, parts }: SelectedCount, noun: string): string {
  if (rows === undefined) return 'Counting…';
  const amount = `${isExact ? '' : 'More than '}${formatExact(rows)} ${nounOf(rows, noun)}`;
  const many = isExact ? `Deletes ${amount}` : `${amount} match. Deletes all of them`;
  switch (grain) {
    case 'span':
      return `${many}. Children of deleted spans stay; a trace goes with its last span.`;
    case 'trace':
      return `${many} with ${parts ?? 'all their spans'}, and the sessions that this leaves empty.`;
    case 'session':
      return `${many} with ${parts ?? 'all their traces'} and all spans of these.`;
    default:
      return grain satisfies never;
  }
}
