import { graphql } from 'react-relay';
import type { deleteQueueDialogMutation } from '#ui/__generated__/deleteQueueDialogMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../deletion/confirm-deletion.tsx';
import { useCommit } from '../deletion/use-commit.ts';

interface DeleteQueueDialogProps {
  readonly queue: { readonly id: string; readonly name: string; readonly itemCount: number };
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether a queue is to be deleted, and deletes it. */
export function DeleteQueueDialog({ queue, onClose, onDeleted }: DeleteQueueDialogProps) {
  const { id, name, itemCount } = queue;
  const remove = useCommit<deleteQueueDialogMutation>(graphql`
    mutation deleteQueueDialogMutation($id: ID!) {
      deleteAnnotationQueue(id: $id)
    }
  `);
  return (
    <ConfirmDeletion
      title="Delete queue"
      verb="Delete queue"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ id });
        onClose();
        onDeleted();
        showToast({ tone: 'success', title: `The queue ${revealHidden(name)} was deleted` });
      }}
    >
      <p>
        Deletes the queue <Name>{name}</Name> with its {formatExact(itemCount)} {nounOf(itemCount, 'items')}, and who
        has reviewed them. Annotations and the traces themselves stay.
      </p>
    </ConfirmDeletion>
  );
}
