import { graphql } from 'react-relay';
import type { deleteTraceMutation } from '#ui/__generated__/deleteTraceMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { ConfirmDeletion } from './confirm-deletion.tsx';
import { useCommit } from './use-commit.ts';

interface DeleteTraceProps {
  /** `id` is the global one. */
  readonly trace: { readonly id: string; readonly name: string; readonly spanCount: number };
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether a trace is to be deleted, and deletes it. */
export function DeleteTrace({ trace, onClose, onDeleted }: DeleteTraceProps) {
  const remove = useCommit<deleteTraceMutation>(graphql`
    mutation deleteTraceMutation($ids: [ID!]!) {
      deleteTraces(traceIds: $ids) {
        projectCount
      }
    }
  `);
  return (
    <ConfirmDeletion
      title="Delete trace"
      verb="Delete trace"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ ids: [trace.id] });
        onClose();
        onDeleted();
        showToast({ tone: 'success', title: 'The trace was deleted' });
      }}
    >
      <p>
        Deletes <Name>{trace.name}</Name> with{' '}
        {trace.spanCount === 1 ? 'its span' : `all its ${formatExact(trace.spanCount)} spans`}. This cannot be undone.
      </p>
    </ConfirmDeletion>
  );
}
