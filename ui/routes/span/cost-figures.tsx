import { Button } from '#ui/components/button.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { formatExact, formatUsd } from '#ui/lib/format.ts';
import type { CostDetails, CostRow } from './model/cost.ts';
import styles from './token-figures.module.css';

/** What a call cost; by which tokens, and by whose word, behind a press. */
export function CostFigures({ cost }: { readonly cost: CostDetails }) {
  const { total, withBelow, rows, notes } = cost;
  return (
    <PopoverTrigger>
      <Button variant="ghost" size="sm" className={styles.button}>
        {total !== undefined
          ? formatUsd(total)
          : withBelow !== undefined
            ? `${formatUsd(withBelow)} in spans below`
            : 'Cost unknown'}
      </Button>
      <Popover label="Cost">
        <table className={styles.table}>
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.kind} ${row.label}`} {...row} />
            ))}
          </tbody>
        </table>
        {notes.length > 0 && (
          <ul className={styles.notes}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </Popover>
    </PopoverTrigger>
  );
}

function Row({ label, tokens, cost, kind }: CostRow) {
  return (
    <tr className={kind === 'total' ? styles.total : kind === 'part' ? styles.part : undefined}>
      <th scope="row">{label}</th>
      <td className={styles.tokens}>{tokens !== undefined && `${formatExact(tokens)} tokens`}</td>
      <td>{cost === undefined ? 'unknown' : formatUsd(cost)}</td>
    </tr>
  );
}
