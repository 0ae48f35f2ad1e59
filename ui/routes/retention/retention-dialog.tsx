import { type FormEvent, useId, useState } from 'react';
import { graphql } from 'react-relay';
import type { retentionDialogCreateMutation } from '#ui/__generated__/retentionDialogCreateMutation.graphql.ts';
import type { retentionDialogPatchMutation } from '#ui/__generated__/retentionDialogPatchMutation.graphql.ts';
import type { retentionDialogQuery } from '#ui/__generated__/retentionDialogQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { Name } from '#ui/components/name.tsx';
import { Select } from '#ui/components/select.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useCommit } from '../deletion/use-commit.ts';
import {
  describeRule,
  NIGHTLY,
  readRule,
  type RetentionRule,
  toRule,
  toRuleInput,
  writeRule,
} from './retention-rule.ts';
import { describeSchedule } from './schedule-text.ts';
import styles from './retention-dialog.module.css';

const QUERY = graphql`
  query retentionDialogQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        traceRetentionPolicy {
          id
        }
      }
    }
    policies: projectTraceRetentionPolicies(first: 1000) {
      edges {
        node {
          id
          name
          cronExpression
          rule {
            __typename
            ... on TraceRetentionRuleMaxDays {
              maxDays
            }
            ... on TraceRetentionRuleMaxCount {
              maxCount
            }
            ... on TraceRetentionRuleMaxDaysOrCount {
              maxDays
              maxCount
            }
          }
        }
      }
    }
  }
`;

interface RetentionDialogProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onSaved?: () => void;
}

/** Which traces of a project stay, and which policy says so. */
export function RetentionDialog({ project, onClose, onSaved }: RetentionDialogProps) {
  const { data, error, ask } = useAnswer<retentionDialogQuery>(QUERY, { projectId: project.id }, 0);
  const form = useId();
  return (
    <Dialog
      title="Retention"
      size="sm"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} isDisabled={data === undefined}>
            Save
          </Button>
        </>
      }
    >
      {data === undefined && error === undefined && <Skeleton lines={4} />}
      {error !== undefined && <ErrorState title="The policies could not be loaded" error={error} onRetry={ask} />}
      {data !== undefined && (
        <RetentionForm
          id={form}
          project={project}
          policies={data.policies.edges.map(({ node }) => ({ ...node, rule: toRule(node.rule) }))}
          currentId={data.project.traceRetentionPolicy?.id ?? OWN}
          onClose={onClose}
          {...(onSaved !== undefined && { onSaved })}
        />
      )}
    </Dialog>
  );
}

/** Stands for a policy that is yet to be made. */
const OWN = 'own';

const CREATE = graphql`
  mutation retentionDialogCreateMutation($input: CreateProjectTraceRetentionPolicyInput!) {
    createProjectTraceRetentionPolicy(input: $input) {
      node {
        id
      }
    }
  }
`;

const PATCH = graphql`
  mutation retentionDialogPatchMutation($input: PatchProjectTraceRetentionPolicyInput!) {
    patchProjectTraceRetentionPolicy(input: $input) {
      node {
        id
      }
    }
  }
`;

/** A policy that can be chosen. */
interface Policy {
  readonly id: string;
  readonly name: string;
  readonly cronExpression: unknown;
  readonly rule: RetentionRule;
}

interface RetentionFormProps extends RetentionDialogProps {
  readonly id: string;
  readonly policies: readonly Policy[];
  readonly currentId: string;
}

function RetentionForm({ id, project, policies, currentId, onClose, onSaved }: RetentionFormProps) {
  const [chosenId, setChosenId] = useState(currentId);
  const [text, setText] = useState({ days: '30', count: '' });
  const [refusal, setRefusal] = useState<string>();
  const create = useCommit<retentionDialogCreateMutation>(CREATE);
  const patch = useCommit<retentionDialogPatchMutation>(PATCH);
  const chosen = policies.find((policy) => policy.id === chosenId);
  const read = readRule(text);

  async function save(): Promise<void> {
    if (chosen !== undefined) {
      await patch({ input: { id: chosen.id, addProjects: [project.id] } });
      return;
    }
    if ('fault' in read) throw new Error(read.fault);
    const name = `${revealHidden(project.name).slice(0, 120)}: ${describeRule(read)}`;
    await create({ input: { name, cronExpression: NIGHTLY, rule: toRuleInput(read), addProjects: [project.id] } });
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (chosenId === currentId) return onClose();
    try {
      await save();
      onClose();
      onSaved?.();
      showToast({ tone: 'success', title: `The retention of ${revealHidden(project.name)} was changed` });
    } catch (error) {
      setRefusal(describeError(error));
    }
  }

  return (
    <form id={id} onSubmit={(event) => void submit(event)} className={styles.form} noValidate>
      <p>
        Choose which traces of <Name>{project.name}</Name> to keep. All others are deleted with their spans. This cannot
        be undone.
      </p>
      <Select
        label="Policy"
        items={[
          ...policies.map((policy) => ({
            id: policy.id,
            label: `${revealHidden(policy.name)}: ${describeRule(policy.rule)}`,
          })),
          { id: OWN, label: 'A new policy…' },
        ]}
        selectedKey={chosenId}
        onSelectionChange={(next) => {
          setChosenId(next);
          setRefusal(undefined);
          const rule = policies.find((policy) => policy.id === next)?.rule;
          if (rule !== undefined && describeRule(rule) !== 'everything') setText(writeRule(rule));
        }}
      />
      {chosen === undefined ? (
        <>
          <TextField
            label="Keep for (days)"
            placeholder="no limit"
            value={text.days}
            onChange={(days) => setText({ ...text, days })}
          />
          <TextField
            label="Keep at most (traces)"
            placeholder="no limit"
            value={text.count}
            onChange={(count) => setText({ ...text, count })}
          />
          <p className={styles.note}>{describeSchedule(NIGHTLY)}.</p>
        </>
      ) : (
        <p className={styles.note}>
          Keeps {describeRule(chosen.rule)}. {describeSchedule(String(chosen.cronExpression))}.
        </p>
      )}
      {refusal !== undefined && (
        <p role="alert" className={styles.refusal}>
          {refusal}
        </p>
      )}
    </form>
  );
}
