import { graphql } from 'react-relay';
import type { deleteConfigDialogMutation } from '#ui/__generated__/deleteConfigDialogMutation.graphql.ts';
import { Name } from '#ui/components/name.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../../deletion/confirm-deletion.tsx';
import { useCommit } from '../../deletion/use-commit.ts';
import type { ConfigRow } from './config-tools.ts';

interface DeleteConfigDialogProps {
  readonly config: ConfigRow;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether an annotation config is to be deleted, and deletes it. */
export function DeleteConfigDialog({ config, onClose, onDeleted }: DeleteConfigDialogProps) {
  const { id, name, projectCount } = config;
  const remove = useCommit<deleteConfigDialogMutation>(graphql`
    mutation deleteConfigDialogMutation($input: DeleteAnnotationConfigsInput!) {
      deleteAnnotationConfigs(input: $input) {
        annotationConfigs {
          __typename
        }
      }
    }
  `);
  return (
    <ConfirmDeletion
      title="Delete annotation config"
      verb="Delete config"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ input: { ids: [id] } });
        onClose();
        onDeleted();
        showToast({ tone: 'success', title: `The annotation config ${revealHidden(name)} was deleted` });
      }}
    >
      <p>
        Deletes the annotation config <Name>{name}</Name>.{' '}
        {projectCount > 0 &&
          `${formatExact(projectCount)} ${nounOf(projectCount, 'projects')} will no longer offer it. `}
        Annotations of this name stay.
      </p>
    </ConfirmDeletion>
  );
}
