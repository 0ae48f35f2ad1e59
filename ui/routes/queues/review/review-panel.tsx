import { Link } from '@tanstack/react-router';
import { startTransition, useState } from 'react';
import { deleteWithUndo } from '#ui/components/delete-with-undo.ts';
import { Markdown } from '#ui/components/markdown/markdown.tsx';
import { useViewer } from '#ui/lib/viewer.ts';
import { AnnotateForm } from '../../annotate/annotate-form.tsx';
import panelStyles from '../../annotate/annotate-panel.module.css';
import { useSeen } from '../../annotate/blind.ts';
import { JudgementList } from '../../annotate/judgement-list.tsx';
import { isOwn } from '../../annotate/model/judgements.ts';
import { type Target, targetKey } from '../../annotate/model/target.ts';
import { Notes } from '../../annotate/notes.tsx';
import { useJudgements } from '../../annotate/use-judgements.ts';
import { useNotes } from '../../annotate/use-notes.ts';
import styles from './review-page.module.css';
import type { Held } from './use-review.ts';

/** See {@link ReviewPanel}. */
export interface ReviewPanelProps {
  readonly queue: Held['queue'];
  readonly target: Target;
  /** Called when what is stored has changed. */
  readonly onChanged: () => void;
  readonly onComplete: () => Promise<void>;
}

/** What the queue asks of an item, with what was said of it so far. */
export function ReviewPanel({ queue, target, onChanged, onComplete }: ReviewPanelProps) {
  const [version, setVersion] = useState(0);
  const { fields, own, others, notes } = useJudgements(queue.id, target, version);
  const viewerId = useViewer()?.id ?? null;
  const notesOf = useNotes(target.kind, target.id);
  const seen = useSeen(others);
  const seenNotes = useSeen(notes);
  const { instructions } = queue;

  function refresh(): void {
    startTransition(() => setVersion((before) => before + 1));
    onChanged();
  }

  return (
    <>
      {instructions != null && instructions !== '' && (
        <details className={styles.instructions} open>
          <summary>Instructions</summary>
          <Markdown text={instructions} />
        </details>
      )}
      {fields.length === 0 ? (
        <p className={styles.nothing}>
          This queue asks nothing, so an item cannot be completed.{' '}
          <Link to="/queues/$queueId" params={{ queueId: queue.id }}>
            Edit the queue
          </Link>{' '}
          and choose what reviewers answer.
        </p>
      ) : (
        <AnnotateForm
          target={target}
          fields={fields}
          own={own}
          onSaved={onChanged}
          completion={{ verb: 'Complete and next', run: onComplete }}
        />
      )}
      {seen.length > 0 && (
        <section className={panelStyles.others} aria-label="Annotations of others">
          <h3 className={panelStyles.heading}>Others</h3>
          <JudgementList judgements={seen} isRemovable={() => false} />
        </section>
      )}
      <Notes
        target={targetKey(target)}
        notes={seenNotes}
        mayWrite
        isRemovable={(note) => isOwn(note, viewerId)}
        onAdd={async (note) => {
          await notesOf.add(note);
          refresh();
        }}
        onRemove={({ id }) =>
          deleteWithUndo({ ids: [id], what: 'The note', run: () => notesOf.remove(id).then(refresh) })
        }
      />
    </>
  );
}
