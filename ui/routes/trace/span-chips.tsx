import { AnnotationChip } from '../annotate/annotation-chip.tsx';
import { useSeen } from '../annotate/blind.ts';
import type { Judgement } from '../annotate/model/judgements.ts';
import styles from './span-chips.module.css';

/** In a row of the tree; the details of the span have the others. */
const MAX_CHIPS = 2;

/** What is said of a span, as far as its row has room. */
export function SpanChips({ annotations: all }: { readonly annotations: readonly Judgement[] }) {
  const annotations = useSeen(all);
  if (annotations.length === 0) return null;
  const restCount = annotations.length - MAX_CHIPS;
  return (
    <span className={styles.chips}>
      {annotations.slice(0, MAX_CHIPS).map((annotation) => (
        <AnnotationChip key={annotation.id} annotation={annotation} className={styles.chip} />
      ))}
      {restCount > 0 && (
        <span className={styles.rest} title={restCount === 1 ? '1 more annotation' : `${restCount} more annotations`}>
          +{restCount}
        </span>
      )}
    </span>
  );
}
