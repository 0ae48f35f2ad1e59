import { Trash2 } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { AnnotationChip } from './annotation-chip.tsx';
import styles from './annotate-panel.module.css';
import type { Judgement } from './model/judgements.ts';

const PROGRAMS: Readonly<Record<Judgement['annotatorKind'], string>> = {
  HUMAN: 'Somebody without an account',
  LLM: 'A model',
  CODE: 'A program',
};

/** See {@link JudgementList}. */
export interface JudgementListProps {
  readonly judgements: readonly Judgement[];
  /** Absent where the user may remove none. */
  readonly onRemove?: ((judgement: Judgement) => void) | undefined;
  /** Which of them the user may remove. */
  readonly isRemovable: (judgement: Judgement) => boolean;
}

/** What others have said: who, when, and by what. */
export function JudgementList({ judgements, onRemove, isRemovable }: JudgementListProps) {
  return (
    <ul className={styles.list}>
      {judgements.map((judgement) => (
        <li key={judgement.id} className={styles.judgement}>
          <div className={styles.said}>
            <AnnotationChip annotation={judgement} />
            {onRemove !== undefined && isRemovable(judgement) && (
              <IconButton
                icon={Trash2}
                size="sm"
                label={`Remove ${judgement.name}`}
                onPress={() => onRemove(judgement)}
              />
            )}
          </div>
          {judgement.explanation !== null && <p className={styles.explanation}>{judgement.explanation}</p>}
          <Byline judgement={judgement} />
        </li>
      ))}
    </ul>
  );
}

/** Who said it, and when. */
export function Byline({ judgement }: { readonly judgement: Judgement }) {
  const { user, annotatorKind, source, identifier, updatedAt } = judgement;
  // Identifiers of these pages and of notes are made up.
  const told = source === 'API' && !identifier.startsWith('px-') ? identifier : '';
  return (
    <p className={styles.byline}>
      {user?.username ?? (told || PROGRAMS[annotatorKind])}
      {source === 'API' && ', over the API'}
      {' · '}
      <Timestamp value={updatedAt} />
    </p>
  );
}
