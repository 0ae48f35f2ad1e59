import { Name } from '#ui/components/name.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { describeSummary, explainSummary, type SaidSummary } from './annotation-summary.ts';
import { Missing } from './cells.tsx';
import styles from './cells.module.css';

/** What annotations of one name say of a row. */
export function AnnotationCell({ summary }: { readonly summary: SaidSummary | undefined }) {
  if (summary === undefined) return <Missing />;
  return (
    <span className={styles.said} title={revealHidden(explainSummary(summary))}>
      <span className={styles.text}>
        <Name>{describeSummary(summary)}</Name>
      </span>
      {summary.count > 1 && <span className={styles.faint}>×{formatExact(summary.count)}</span>}
    </span>
  );
}

/** How many notes a row has. */
export function NoteCountCell({ count }: { readonly count: number }) {
  return count === 0 ? <Missing /> : <span className={styles.number}>{formatExact(count)}</span>;
}
