import { Button } from '#ui/components/button.tsx';
import styles from './fault-list.module.css';

interface UnappliedNoteProps {
  readonly id: string;
  /** As the address has it; null: none. */
  readonly applied: string | null;
  /** What is filtered, as it is below: `The rows below`. */
  readonly shown: string;
  readonly isFaulty: boolean;
  readonly onApply: () => void;
  readonly onGoBack: () => void;
}

/** Says that what is shown is not what the field says. */
export function UnappliedNote({ id, applied, shown, isFaulty, onApply, onGoBack }: UnappliedNoteProps) {
  return (
    <output
      id={id}
      className={styles.unapplied}
      // A press leaves the focus in the field, so that the note stays until it is done.
      onPointerDown={(event) => event.preventDefault()}
    >
      <span>
        {isFaulty ? 'This filter has errors. ' : 'This filter is not applied yet. '}
        {applied === null ? (
          `${shown} are not filtered.`
        ) : (
          <>
            {shown} still use the last applied filter: <code>{applied}</code>
          </>
        )}
      </span>
      {!isFaulty && (
        <Button size="sm" preventFocusOnPress onPress={onApply}>
          Apply
        </Button>
      )}
      <Button size="sm" preventFocusOnPress onPress={onGoBack}>
        {applied === null ? 'Discard' : 'Restore that filter'}
      </Button>
    </output>
  );
}
