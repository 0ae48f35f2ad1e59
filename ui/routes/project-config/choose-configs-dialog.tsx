import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { graphql } from 'react-relay';
import type { chooseConfigsDialogAddMutation } from '#ui/__generated__/chooseConfigsDialogAddMutation.graphql.ts';
import type { chooseConfigsDialogQuery } from '#ui/__generated__/chooseConfigsDialogQuery.graphql.ts';
import type { chooseConfigsDialogRemoveMutation } from '#ui/__generated__/chooseConfigsDialogRemoveMutation.graphql.ts';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { kindName } from '../annotation-configs/shown-config.ts';
import { useCommit } from '../deletion/use-commit.ts';
import styles from './project-config.module.css';

const QUERY = graphql`
  query chooseConfigsDialogQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        annotationConfigs(first: 1000) {
          edges {
            node {
              ... on Node {
                id
              }
            }
          }
        }
      }
    }
    annotationConfigs(first: 1000) {
      edges {
        node {
          ... on Node {
            id
          }
          ... on AnnotationConfigBase {
            name
            annotationType
          }
        }
      }
    }
  }
`;

const ADD = graphql`
  mutation chooseConfigsDialogAddMutation($input: [AddAnnotationConfigToProjectInput!]!) {
    addAnnotationConfigToProject(input: $input) {
      project {
        ...offeredConfigs_project
      }
    }
  }
`;

const REMOVE = graphql`
  mutation chooseConfigsDialogRemoveMutation($input: [RemoveAnnotationConfigFromProjectInput!]!) {
    removeAnnotationConfigFromProject(input: $input) {
      project {
        ...offeredConfigs_project
      }
    }
  }
`;

interface ChooseConfigsDialogProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Which annotation configs a project offers. */
export function ChooseConfigsDialog({ project, onClose, onSaved }: ChooseConfigsDialogProps) {
  const { data, error, ask } = useAnswer<chooseConfigsDialogQuery>(QUERY, { projectId: project.id }, 0);
  const [chosen, setChosen] = useState<readonly string[]>();
  const add = useCommit<chooseConfigsDialogAddMutation>(ADD);
  const remove = useCommit<chooseConfigsDialogRemoveMutation>(REMOVE);
  const before = idsOf(data?.project.annotationConfigs);
  const all = data?.annotationConfigs.edges.map(({ node }) => node) ?? [];
  const selected = chosen ?? before;
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const toInput = (annotationConfigId: string) => ({ projectId: project.id, annotationConfigId });
    const added = selected.filter((id) => !before.includes(id));
    const removed = before.filter((id) => !selected.includes(id));
    // What others have chosen meanwhile stays.
    try {
      if (added.length > 0) await add({ input: added.map(toInput) });
      if (removed.length > 0) await remove({ input: removed.map(toInput) });
    } catch (failure) {
      // Somebody else may have been first: the next attempt begins with what is there now.
      ask();
      throw failure;
    }
    onClose();
    if (added.length + removed.length === 0) return;
    onSaved();
    showToast({ tone: 'success', title: `The annotation configs of ${revealHidden(project.name)} were changed` });
  });
  return (
    <FormDialog
      title="Annotation configs"
      verb="Save"
      isPending={isPending}
      canSubmit={data !== undefined}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal ?? error?.message}
    >
      {data === undefined && error === undefined && <Skeleton lines={4} />}
      {all.length > 0 && (
        <CheckboxGroup
          aria-label="Configs that the project offers"
          className={styles.choices}
          value={[...selected]}
          onChange={setChosen}
        >
          {all.map(({ id = '', name = '', annotationType }) => (
            <Checkbox key={id} value={id} className={styles.choice}>
              <span className={styles.choiceName}>{revealHidden(name)}</span>
              <span className={styles.none}>{kindName(annotationType ?? '')}</span>
            </Checkbox>
          ))}
        </CheckboxGroup>
      )}
      <p className={styles.none}>
        Configs are made and changed in the <Link to="/settings/annotations">settings</Link>.
      </p>
    </FormDialog>
  );
}

interface ConfigIds {
  readonly edges: readonly { readonly node: { readonly id?: string | undefined } }[];
}

function idsOf(configs: ConfigIds | undefined): readonly string[] {
  return configs?.edges.flatMap(({ node }) => node.id ?? []) ?? [];
}
