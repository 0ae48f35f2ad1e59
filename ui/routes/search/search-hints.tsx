import { TextSearch } from 'lucide-react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import styles from './search-page.module.css';

/** Stands where nothing is searched for yet. */
export function SearchHints() {
  return (
    <EmptyState icon={TextSearch} title="Search the text of spans">
      <HintTable />
    </EmptyState>
  );
}

/** What can be typed, and what that finds. */
export function HintTable() {
  return (
    <table className={styles.hints}>
      <tbody>
        {HINTS.map(([typed, found]) => (
          <tr key={typed}>
            <th scope="row">
              <code>{typed}</code>
            </th>
            <td>{found}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const HINTS = [
  ['refund order', 'both words, anywhere in the span'],
  ['"where is my order"', 'this exact phrase'],
  ['refund*', 'words that start with these letters'],
  ['refund -order', 'the first word, without the second'],
  ['refund OR voucher', 'either word'],
] as const;
