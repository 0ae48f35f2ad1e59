import { graphql } from 'react-relay';
import type { deletePriceDialogMutation } from '#ui/__generated__/deletePriceDialogMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../../deletion/confirm-deletion.tsx';
import { useCommit } from '../../deletion/use-commit.ts';
import type { ActedPrice } from './model-tools.ts';

interface DeletePriceDialogProps {
  readonly price: ActedPrice;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether a price is to be deleted, and deletes it. */
export function DeletePriceDialog({ price, onClose, onDeleted }: DeletePriceDialogProps) {
  const remove = useCommit<deletePriceDialogMutation>(graphql`
    mutation deletePriceDialogMutation($input: DeleteModelMutationInput!) {
      deleteModel(input: $input) {
        model {
          id
        }
      }
    }
  `);
  return (
    <ConfirmDeletion
      title="Delete model"
      verb="Delete model"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ input: { id: price.id } });
        onClose();
        onDeleted();
        showToast({ tone: 'success', title: `${revealHidden(price.name)} was deleted` });
      }}
    >
      <p>
        Deletes the price <Name>{price.name}</Name>. Stored spans keep their cost. Calls from now on have the next price
        that matches, or none.
      </p>
    </ConfirmDeletion>
  );
}
