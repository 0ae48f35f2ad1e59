import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useState } from 'react';
import { graphql } from 'react-relay';
import type { actionCardCancelMutation } from '#ui/__generated__/actionCardCancelMutation.graphql.ts';
import { Button, IconButton } from '#ui/components/button.tsx';
import { Spinner } from '#ui/components/spinner.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { isOver, type ReadBulkAction } from './bulk-actions.ts';
import { describeAction, describeRest, shareDone } from './describe-action.ts';
import styles from './selection-bar.module.css';

const CANCEL = graphql`
  mutation actionCardCancelMutation($id: ID!) {
    cancelBulkAction(id: $id) {
      ...bulkActions_action
    }
  }
`;

interface ActionCardProps {
  readonly action: ReadBulkAction;
  readonly onClose: () => void;
}

/** How far an action on many rows is, or what came of it. */
export function ActionCard({ action, onClose }: ActionCardProps) {
  const mayCancel = useMay('write');
  const cancel = useCommit<actionCardCancelMutation>(CANCEL);
  const [refusal, setRefusal] = useState<string>();
  const isDone = isOver(action);
  const share = shareDone(action);
  const rest = isDone ? describeRest(action) : undefined;
  return (
    <div className={styles.card}>
      {isDone ? <Mark isGood={action.state === 'DONE' && action.refusedCount === 0} /> : <Spinner label="Working" />}
      <div className={styles.told}>
        <p>
          {describeAction(action)}
          {rest !== undefined && ` ${rest}`}
        </p>
        {refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}
        {!isDone && (
          <progress className={styles.progress} aria-label="Progress" {...(share !== undefined && { value: share })} />
        )}
      </div>
      {!isDone && mayCancel && (
        <Button
          size="sm"
          onPress={() => {
            setRefusal(undefined);
            cancel({ id: action.id }).catch((error: unknown) => setRefusal(describeError(error)));
          }}
        >
          Cancel
        </Button>
      )}
      {isDone && <IconButton icon={X} size="sm" label="Close" onPress={onClose} />}
    </div>
  );
}

function Mark({ isGood }: { readonly isGood: boolean }) {
  const Icon = isGood ? CircleCheck : CircleAlert;
  return <Icon size={16} aria-hidden className={isGood ? styles.good : styles.doubtful} />;
}
