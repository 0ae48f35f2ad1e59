import { MessageSquareText } from 'lucide-react';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { usePendingDeletions } from '#ui/lib/pending-deletions.ts';
import { useAnnotateOpener } from './annotate-context.ts';
import { AnnotationChip } from './annotation-chip.tsx';
import styles from './annotation-chip.module.css';
import { useSeen } from './blind.ts';
import type { Judgement } from './model/judgements.ts';
import type { TargetChoice } from './model/target.ts';

/** Chips in a row; the panel has the others. */
const MAX_CHIPS = 8;

/** See {@link AnnotationChips}. */
export interface AnnotationChipsProps {
  /** Notes included. */
  readonly annotations: readonly Judgement[];
  /** What they are of. */
  readonly choice: TargetChoice;
}

/** What is said of something, in a line that opens the annotate panel; nothing where nothing is said. */
export function AnnotationChips({ annotations: all, choice }: AnnotationChipsProps) {
  const opener = useAnnotateOpener();
  const pending = usePendingDeletions();
  const annotations = useSeen(all).filter(({ id }) => !pending.has(id));
  const said = annotations.filter(({ name }) => name !== 'note');
  const noteCount = annotations.length - said.length;
  if (annotations.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Annotations">
      {said.slice(0, MAX_CHIPS).map((annotation) => (
        <li key={annotation.id}>
          <AnnotationChip annotation={annotation} />
        </li>
      ))}
      {(noteCount > 0 || said.length > MAX_CHIPS) && (
        <li>
          <button type="button" className={styles.more} onClick={() => opener?.open(choice)}>
            <MessageSquareText size={11} aria-hidden />
            {[
              ...(said.length > MAX_CHIPS ? [`${formatExact(said.length - MAX_CHIPS)} more`] : []),
              ...(noteCount > 0 ? [`${formatExact(noteCount)} ${nounOf(noteCount, 'notes')}`] : []),
            ].join(', ')}
          </button>
        </li>
      )}
    </ul>
  );
}
