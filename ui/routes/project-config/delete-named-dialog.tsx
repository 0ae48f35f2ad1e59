import { graphql } from 'react-relay';
import type { deleteNamedDialogDocumentMutation } from '#ui/__generated__/deleteNamedDialogDocumentMutation.graphql.ts';
import type { deleteNamedDialogSessionMutation } from '#ui/__generated__/deleteNamedDialogSessionMutation.graphql.ts';
import type { deleteNamedDialogSpanMutation } from '#ui/__generated__/deleteNamedDialogSpanMutation.graphql.ts';
import type { deleteNamedDialogTraceMutation } from '#ui/__generated__/deleteNamedDialogTraceMutation.graphql.ts';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ConfirmDeletion } from '../deletion/confirm-deletion.tsx';
import { useCommit } from '../deletion/use-commit.ts';
import { type CountedName, describeNamed, titleOfName } from './counted-names.ts';

const MUTATIONS = {
  span: graphql`
    mutation deleteNamedDialogSpanMutation($input: DeleteProjectAnnotationsInput!) {
      deleted: deleteProjectSpanAnnotations(input: $input) {
        deletedAnnotationCount
      }
    }
  `,
  trace: graphql`
    mutation deleteNamedDialogTraceMutation($input: DeleteProjectAnnotationsInput!) {
      deleted: deleteProjectTraceAnnotations(input: $input) {
        deletedAnnotationCount
      }
    }
  `,
  session: graphql`
    mutation deleteNamedDialogSessionMutation($input: DeleteProjectAnnotationsInput!) {
      deleted: deleteProjectSessionAnnotations(input: $input) {
        deletedAnnotationCount
      }
    }
  `,
  document: graphql`
    mutation deleteNamedDialogDocumentMutation($input: DeleteProjectAnnotationsInput!) {
      deleted: deleteProjectDocumentAnnotations(input: $input) {
        deletedAnnotationCount
      }
    }
  `,
} as const;

type AnyMutation =
  | deleteNamedDialogSpanMutation
  | deleteNamedDialogTraceMutation
  | deleteNamedDialogSessionMutation
  | deleteNamedDialogDocumentMutation;

interface DeleteNamedDialogProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly named: CountedName;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks whether all annotations of a name are to go, says how many they are, and deletes them. */
export function DeleteNamedDialog({ project, named, onClose, onDone }: DeleteNamedDialogProps) {
  const remove = useCommit<AnyMutation>(MUTATIONS[named.target]);
  return (
    <ConfirmDeletion
      title="Delete annotations"
      verb="Delete"
      name={titleOfName(named)}
      onClose={onClose}
      onConfirm={async () => {
        const { deleted } = await remove({ input: { projectId: project.id, annotationName: named.name } });
        onClose();
        onDone();
        showToast({
          tone: 'success',
          title: `Deleted ${revealHidden(describeNamed(named, deleted.deletedAnnotationCount))}`,
        });
      }}
    >
      <p>
        Deletes <b>{revealHidden(describeNamed(named, named.count))}</b> in {revealHidden(project.name)}, by all
        annotators. This cannot be undone. The {named.target}s stay.
      </p>
    </ConfirmDeletion>
  );
}
