import { TriangleAlert } from 'lucide-react';
import { Button } from '#ui/components/button.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { formatExact, formatTokens } from '#ui/lib/format.ts';
import type { TokenDetails, TokenNote } from './model/tokens.ts';
import styles from './token-figures.module.css';

/** How many tokens went in and came out; what they were behind a press. */
export function TokenFigures({ tokens }: { readonly tokens: TokenDetails }) {
  const { prompt, completion, total, notes } = tokens;
  const isDoubtful = notes.some(({ tone }) => tone === 'warning');
  const detail = (side: 'prompt' | 'completion') =>
    tokens.details
      .filter((entry) => entry.side === side)
      .map(({ label, count }) => <Row key={label} label={label} count={count} isPart />);
  return (
    <PopoverTrigger>
      <Button variant="ghost" size="sm" className={styles.button} icon={isDoubtful ? TriangleAlert : undefined}>
        {formatTokens(total)} tokens
      </Button>
      <Popover label="Tokens">
        <table className={styles.table}>
          <tbody>
            <Row label="Prompt" count={prompt} />
            {detail('prompt')}
            <Row label="Completion" count={completion} />
            {detail('completion')}
            <Row label="Total" count={total} isTotal />
          </tbody>
        </table>
        <Notes notes={notes} />
      </Popover>
    </PopoverTrigger>
  );
}

function Notes({ notes }: { readonly notes: readonly TokenNote[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {notes.map(({ tone, text }) => (
        <li key={text} data-tone={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly label: string;
  readonly count: number | undefined;
  readonly isPart?: boolean;
  readonly isTotal?: boolean;
}

function Row({ label, count, isPart = false, isTotal = false }: RowProps) {
  return (
    <tr className={isTotal ? styles.total : isPart ? styles.part : undefined}>
      <th scope="row">{label}</th>
      <td>{count === undefined ? 'not reported' : formatExact(count)}</td>
    </tr>
  );
}
