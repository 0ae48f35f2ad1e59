import { Fragment } from 'react';
import type { Diagnostic, Repair } from '#filter/diagnostic';
import { Button } from '#ui/components/button.tsx';
import styles from './fault-list.module.css';

/** More at once help nobody. */
const MAX_FAULTS = 3;

/** What is wrong with a filter, and what would mend it. */
export function FaultList(props: {
  readonly id: string;
  readonly faults: readonly Diagnostic[];
  /** Whether nobody is writing any more. */
  readonly isUrgent: boolean;
  readonly onMend: (repair: Repair) => void;
}) {
  const { id, faults, isUrgent, onMend } = props;
  return (
    <ul
      id={id}
      className={styles.faults}
      role={isUrgent ? 'alert' : undefined}
      // A press leaves the focus in the field, so that the list stays until it is done.
      onPointerDown={(event) => event.preventDefault()}
    >
      {faults.slice(0, MAX_FAULTS).map(({ start, message, severity, repair }) => (
        <li key={`${start} ${message}`} data-severity={severity}>
          <span>{message.split('`').map(codeOrText)}</span>
          {repair !== undefined && (
            <Button size="sm" preventFocusOnPress onPress={() => onMend(repair)}>
              {repair.text === '' ? 'Remove it' : `Change to ${repair.text}`}
            </Button>
          )}
        </li>
      ))}
      {faults.length > MAX_FAULTS && <li>{faults.length - MAX_FAULTS} more errors, shown when these are fixed.</li>}
    </ul>
  );
}

/** Messages quote code in backticks: every second part is code. */
function codeOrText(part: string, place: number) {
  return place % 2 === 1 ? <code key={place}>{part}</code> : <Fragment key={place}>{part}</Fragment>;
}
