import { useState } from 'react';
import { graphql } from 'react-relay';
import type { ruleDialogMutation } from '#ui/__generated__/ruleDialogMutation.graphql.ts';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { ProjectChoice } from '../project/selection/project-choice.tsx';
import { type QueueRows, rowsName } from './queue-words.ts';

const ADD = graphql`
  mutation ruleDialogMutation($input: AddAnnotationQueueRuleInput!) {
    addAnnotationQueueRule(input: $input) {
      id
    }
  }
`;

interface RuleDialogProps {
  readonly queueId: string;
  readonly rows: QueueRows;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

/** Lets a queue take a share of what arrives in a project. */
export function RuleDialog({ queueId, rows, onClose, onAdded }: RuleDialogProps) {
  const [projectId, setProjectId] = useState<string>();
  const [filter, setFilter] = useState('');
  const [percentText, setPercentText] = useState('10');
  const [fault, setFault] = useState<string>();
  const add = useCommit<ruleDialogMutation>(ADD);
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const samplePercent = Number(percentText.trim().replace(',', '.'));
    if (!(samplePercent > 0 && samplePercent <= 100)) {
      setFault('Enter a number above 0, 100 at most.');
      return false;
    }
    if (projectId === undefined) return false;
    await add({ input: { queueId, projectId, samplePercent, filterCondition: filter.trim() || null } });
    onClose();
    onAdded();
    showToast({ tone: 'success', title: 'The rule was added' });
    return true;
  });
  const noun = rowsName(rows).toLowerCase();
  return (
    <FormDialog
      title="Add a rule"
      verb="Add rule"
      isPending={isPending}
      canSubmit={projectId !== undefined}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <p>Adds a share of the {noun} that arrive in a project from now on.</p>
      <ProjectChoice label="Project" chosenId={projectId} onChoose={setProjectId} />
      <TextField
        label="Filter"
        placeholder={`All ${noun}`}
        hint="In the filter language; only what matches is added."
        autoComplete="off"
        value={filter}
        onChange={setFilter}
      />
      <TextField
        label="Share, in percent"
        inputMode="decimal"
        autoComplete="off"
        value={percentText}
        onChange={(text) => {
          setPercentText(text);
          setFault(undefined);
        }}
        isInvalid={fault !== undefined}
        error={fault}
      />
    </FormDialog>
  );
}
