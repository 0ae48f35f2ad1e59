import { useState } from 'react';
import { graphql } from 'react-relay';
import type { policyDialogCreateMutation } from '#ui/__generated__/policyDialogCreateMutation.graphql.ts';
import type { policyDialogPatchMutation } from '#ui/__generated__/policyDialogPatchMutation.graphql.ts';
import type { policyDialogProjectsQuery } from '#ui/__generated__/policyDialogProjectsQuery.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { Select } from '#ui/components/select.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { type ChosenProject, ProjectPicker } from '../../api-keys/project-picker.tsx';
import { useCommit } from '../../deletion/use-commit.ts';
import { describeSchedule } from '../../retention/schedule-text.ts';
import settingsStyles from '../settings.module.css';
import {
  changeProjects,
  type EditedPolicy,
  OWN_SCHEDULE,
  type PolicyFault,
  type PolicyText,
  readPolicy,
  SCHEDULES,
  writePolicy,
} from './policy-form.ts';

/** See {@link PolicyDialog}. */
export interface PolicyDialogProps {
  /** Absent: a new one is made. */
  readonly policy?: EditedPolicy;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** More projects are not listed in the window; those that are not listed stay as they are. */
const PROJECTS = graphql`
  query policyDialogProjectsQuery($id: ID!) {
    node(id: $id) {
      ... on ProjectTraceRetentionPolicy @alias(as: "policy") {
        projects(first: 100) {
          edges {
            node {
              id
              name
            }
          }
        }
      }
    }
  }
`;

const CREATE = graphql`
  mutation policyDialogCreateMutation($input: CreateProjectTraceRetentionPolicyInput!) {
    createProjectTraceRetentionPolicy(input: $input) {
      node {
        id
      }
    }
  }
`;

const PATCH = graphql`
  mutation policyDialogPatchMutation($input: PatchProjectTraceRetentionPolicyInput!) {
    patchProjectTraceRetentionPolicy(input: $input) {
      node {
        id
      }
    }
  }
`;

const SCHEDULE_ITEMS = [...SCHEDULES, { id: OWN_SCHEDULE, label: 'Another schedule…' }];

/** Makes or changes a retention policy. */
export function PolicyDialog({ policy, onClose, onChanged }: PolicyDialogProps) {
  const [text, setText] = useState<PolicyText>(() => writePolicy(policy));
  const [projects, setProjects] = useState<readonly ChosenProject[]>();
  const [fault, setFault] = useState<PolicyFault>();
  const create = useCommit<policyDialogCreateMutation>(CREATE);
  const patch = useCommit<policyDialogPatchMutation>(PATCH);
  // All projects without another policy have the default one: they are not chosen here.
  const hasProjects = policy?.isDefault !== true;
  const isAsked = policy !== undefined && hasProjects;
  const { data, error } = useAnswer<policyDialogProjectsQuery>(PROJECTS, isAsked ? { id: policy.id } : null, 0);
  const listed = isAsked ? data?.node.policy?.projects.edges.map(({ node }) => node) : [];
  const chosen = projects ?? listed ?? [];

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const read = readPolicy(text);
    setFault(read.fault);
    if (read.input === undefined) return false;
    const { name, ...rest } = read.input;
    const change = changeProjects(listed ?? [], chosen);
    if (policy === undefined) await create({ input: { name, ...rest, addProjects: change.addProjects } });
    else
      await patch({
        input: { id: policy.id, ...rest, ...(policy.isDefault ? {} : { name }), ...(hasProjects ? change : {}) },
      });
    onClose();
    onChanged();
    const said = policy === undefined ? 'added' : 'changed';
    showToast({ tone: 'success', title: `The policy ${revealHidden(name)} was ${said}` });
    return true;
  });

  function change(next: Partial<PolicyText>): void {
    setText((before) => ({ ...before, ...next }));
    setFault(undefined);
  }
  const faultOf = (field: PolicyFault['field']) => ({
    isInvalid: fault?.field === field,
    error: fault?.field === field ? fault.text : undefined,
  });

  return (
    <FormDialog
      title={policy === undefined ? 'New policy' : 'Edit policy'}
      verb={policy === undefined ? 'Create policy' : 'Save'}
      size="md"
      isPending={isPending}
      canSubmit={listed !== undefined}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal ?? error?.message}
    >
      <p>Traces that a policy does not keep are deleted with their spans when it runs. This cannot be undone.</p>
      {policy?.isDefault === true ? (
        <p className={settingsStyles.muted}>This policy is for all projects that have no other one.</p>
      ) : (
        <TextField
          label="Name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window was opened to fill it in.
          autoFocus
          autoComplete="off"
          maxLength={200}
          value={text.name}
          onChange={(name) => change({ name })}
          {...faultOf('name')}
        />
      )}
      <TextField
        label="Keep for (days)"
        placeholder="no limit"
        inputMode="decimal"
        value={text.days}
        onChange={(days) => change({ days })}
        {...faultOf('rule')}
      />
      <TextField
        label="Keep at most (traces)"
        placeholder="no limit"
        inputMode="numeric"
        value={text.count}
        onChange={(count) => change({ count })}
        hint="The newest ones of each project. With both limits, only traces within both stay."
      />
      <Select
        label="Schedule"
        items={SCHEDULE_ITEMS}
        selectedKey={text.schedule}
        onSelectionChange={(schedule) => change({ schedule })}
      />
      {text.schedule === OWN_SCHEDULE && (
        <TextField
          label="Cron expression, in UTC"
          spellCheck="false"
          autoComplete="off"
          value={text.cron}
          onChange={(cron) => change({ cron })}
          hint={`${describeSchedule(text.cron)}.`}
          {...faultOf('cron')}
        />
      )}
      {hasProjects && listed !== undefined && (
        <div>
          <p className={settingsStyles.hint}>Projects that get this policy in place of the one they have</p>
          <ProjectPicker chosen={chosen} onChange={setProjects} />
        </div>
      )}
    </FormDialog>
  );
}
