import { useState } from 'react';
import { graphql } from 'react-relay';
import type { queueDialogCreateMutation } from '#ui/__generated__/queueDialogCreateMutation.graphql.ts';
import type { queueDialogPatchMutation } from '#ui/__generated__/queueDialogPatchMutation.graphql.ts';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { TextArea } from '#ui/components/text-area.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { ServerError } from '#ui/lib/server-error.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { ConfigChoice } from './config-choice.tsx';
import styles from './queue-dialog.module.css';
import {
  type EditableQueue,
  queueFaults,
  type QueueFaults,
  type QueueText,
  toQueueInput,
  writeQueue,
} from './queue-form.ts';
import { QUEUE_ROWS, type QueueRows } from './queue-words.ts';

const CREATE = graphql`
  mutation queueDialogCreateMutation($input: CreateAnnotationQueueInput!) {
    createAnnotationQueue(input: $input) {
      id
    }
  }
`;

const PATCH = graphql`
  mutation queueDialogPatchMutation($input: PatchAnnotationQueueInput!) {
    patchAnnotationQueue(input: $input) {
      id
    }
  }
`;

/** See {@link QueueDialog}. */
export interface QueueDialogProps {
  /** The queue that is changed; absent: a new one is made. */
  readonly queue?: EditableQueue | undefined;
  /** What a new queue holds; absent: the user chooses. */
  readonly rows?: QueueRows | undefined;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Makes or changes a review queue. */
export function QueueDialog({ queue, rows, onClose, onSaved }: QueueDialogProps) {
  const [text, setText] = useState(() => ({ ...writeQueue(queue), ...(rows !== undefined && { rows }) }));
  const [faults, setFaults] = useState<QueueFaults>({});
  const create = useCommit<queueDialogCreateMutation>(CREATE);
  const patch = useCommit<queueDialogPatchMutation>(PATCH);
  const isNew = queue === undefined;

  async function save(): Promise<string> {
    const input = toQueueInput(text);
    if (queue !== undefined) return (await patch({ input: { id: queue.id, ...input } })).patchAnnotationQueue.id;
    return (await create({ input: { ...input, rows: text.rows } })).createAnnotationQueue.id;
  }

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const found = queueFaults(text);
    setFaults(found);
    if (Object.keys(found).length > 0) return false;
    try {
      const id = await save();
      onClose();
      onSaved(id);
    } catch (error) {
      if (!(error instanceof ServerError) || error.code !== 'already_exists') throw error;
      setFaults({ name: error.message });
      return false;
    }
    const name = revealHidden(text.name.trim());
    showToast({ tone: 'success', title: `${name} was ${isNew ? 'created' : 'changed'}` });
    return true;
  });

  function change(next: Partial<QueueText>): void {
    setText((before) => ({ ...before, ...next }));
    setFaults({});
  }
  const faultOf = (field: keyof QueueFaults) => ({ isInvalid: faults[field] !== undefined, error: faults[field] });

  return (
    <FormDialog
      title={isNew ? 'New queue' : 'Edit queue'}
      verb={isNew ? 'Create queue' : 'Save'}
      size="md"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      {isNew && rows === undefined && (
        <SegmentedControl
          label="Rows"
          items={QUEUE_ROWS}
          selectedKey={text.rows}
          onSelectionChange={(next) => change({ rows: next })}
          className={styles.start}
        />
      )}
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
      <TextArea
        label="Instructions"
        placeholder="What reviewers look at, and when they choose what. Markdown."
        rows={4}
        maxLength={20_000}
        value={text.instructions}
        onChange={(instructions) => change({ instructions })}
      />
      <ConfigChoice selected={text.configIds} onChange={(configIds) => change({ configIds })} />
      <div className={styles.numbers}>
        {serverConfig.authEnabled && (
          <TextField
            label="Reviews per item"
            inputMode="numeric"
            autoComplete="off"
            value={text.reviewsPerItem}
            onChange={(reviewsPerItem) => change({ reviewsPerItem })}
            {...faultOf('reviewsPerItem')}
          />
        )}
        <TextField
          label="Minutes that an item is held"
          inputMode="numeric"
          autoComplete="off"
          value={text.holdMinutes}
          onChange={(holdMinutes) => change({ holdMinutes })}
          {...faultOf('holdMinutes')}
        />
      </div>
      {serverConfig.authEnabled ? (
        <Checkbox isSelected={text.isBlind} onChange={(isBlind) => change({ isBlind })}>
          Hide the answers of others until one’s own review is complete
        </Checkbox>
      ) : (
        <p className={styles.hint}>Several reviews of an item need accounts: authentication is off on this server.</p>
      )}
    </FormDialog>
  );
}
