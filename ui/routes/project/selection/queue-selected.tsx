import { Plus } from 'lucide-react';
import { useState } from 'react';
import { graphql } from 'react-relay';
import type { queueSelectedMutation } from '#ui/__generated__/queueSelectedMutation.graphql.ts';
import type { queueSelectedQuery } from '#ui/__generated__/queueSelectedQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Select } from '#ui/components/select.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { QueueDialog } from '../../queues/queue-dialog.tsx';
import { rowsName } from '../../queues/queue-words.ts';
import { useListContext } from '../list-context.ts';
import { BULK_ROWS, toBulkInput, upTo } from './bulk-input.ts';
import type { SelectedProps } from './delete-selected.tsx';
import styles from './queue-selected.module.css';
import { readSample, SAMPLE_KINDS, type SampleKind } from './sample.ts';
import { useSelectedCount } from './use-selected-count.ts';

const QUERY = graphql`
  query queueSelectedQuery {
    annotationQueues(first: 1000) {
      edges {
        node {
          id
          name
          rows
        }
      }
    }
  }
`;

const ADD = graphql`
  mutation queueSelectedMutation($input: BulkSelectionInput!, $queueId: ID!, $sample: BulkSampleInput) {
    bulkQueue(input: $input, queueId: $queueId, sample: $sample) {
      ...bulkActions_action
    }
  }
`;

/** Asks for a review queue, and adds the selected rows to it, or a sample of them. */
export function QueueSelected({ scope, selection, onClose, onStarted }: SelectedProps) {
  const { noun } = useListContext();
  const [frozen] = useState(() => upTo(scope, Date.now()));
  const { rows, isExact } = useSelectedCount(frozen, selection);
  const [isMaking, setIsMaking] = useState(false);
  const [madeId, setMadeId] = useState<string>();
  const { data, error } = useAnswer<queueSelectedQuery>(QUERY, {}, madeId);
  const [chosenId, setChosenId] = useState<string>();
  const [kind, setKind] = useState<SampleKind>('all');
  const [amount, setAmount] = useState('10');
  const [fault, setFault] = useState<string>();
  const add = useCommit<queueSelectedMutation>(ADD);
  const queues = data?.annotationQueues.edges
    .map(({ node }) => node)
    .filter((queue) => queue.rows === BULK_ROWS[scope.grain]);
  const queueId = [chosenId, madeId, queues?.[0]?.id].find((id) => queues?.some((queue) => queue.id === id));
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const sample = readSample(kind, amount);
    if (typeof sample === 'string') setFault(sample);
    if (typeof sample === 'string' || queueId === undefined) return false;
    const { bulkQueue } = await add({ input: toBulkInput(frozen, selection), queueId, sample });
    onClose();
    onStarted(bulkQueue);
    return undefined;
  });
  return (
    <FormDialog
      title="Add to queue"
      verb="Add to queue"
      isPending={isPending}
      canSubmit={queueId !== undefined && rows !== undefined && rows > 0}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal ?? error?.message}
    >
      {queues === undefined && error === undefined && <Skeleton lines={2} />}
      {queues?.length === 0 && <p>There is no queue of {noun} yet.</p>}
      {queues !== undefined && (
        <Button className={styles.start} icon={Plus} size="sm" onPress={() => setIsMaking(true)}>
          New queue
        </Button>
      )}
      {isMaking && <QueueDialog rows={BULK_ROWS[scope.grain]} onClose={() => setIsMaking(false)} onSaved={setMadeId} />}
      {queues !== undefined && queueId !== undefined && (
        <>
          <p>
            {rows === undefined
              ? 'Counting…'
              : `${isExact ? '' : 'More than '}${formatExact(rows)} ${nounOf(rows, noun)} ${rows === 1 ? 'is' : 'are'} selected. ${rowsName(BULK_ROWS[scope.grain])} already in the queue are skipped.`}
          </p>
          <Select
            label="Queue"
            items={queues.map(({ id, name }) => ({ id, label: revealHidden(name) }))}
            selectedKey={queueId}
            onSelectionChange={setChosenId}
          />
          <SegmentedControl
            label="How many"
            items={SAMPLE_KINDS}
            selectedKey={kind}
            onSelectionChange={(next) => {
              setKind(next);
              setFault(undefined);
            }}
          />
          {kind !== 'all' && (
            <TextField
              label={kind === 'percent' ? 'Share, in percent' : `Number of ${noun}`}
              inputMode="decimal"
              autoComplete="off"
              value={amount}
              onChange={(text) => {
                setAmount(text);
                setFault(undefined);
              }}
              hint="Chosen by chance; the same choice each time."
              isInvalid={fault !== undefined}
              error={fault}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
