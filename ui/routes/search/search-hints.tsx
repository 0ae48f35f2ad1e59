import { TextSearch } from 'lucide-react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import styles from './search-page.module.css';

/** Stands where nothing is searched for yet. */
export function SearchHints() {
  return (
    <EmptyState icon={TextSearch} title="Find spans by what they say">
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
  ['"where is my order"', 'the words one after the other'],
  ['refund*', 'words that begin so'],
  ['refund -order', 'the one and not the other'],
  ['refund OR voucher', 'either of them'],
] as const;
