import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { Markdown } from '#ui/components/markdown/markdown.tsx';
import { TextArea } from '#ui/components/text-area.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './annotate-panel.module.css';
import { noteDrafts } from './drafts.ts';
import { Byline } from './judgement-list.tsx';
import type { Judgement } from './model/judgements.ts';
import { saveByKey } from './save-key.ts';

/** See {@link Notes}. */
export interface NotesProps {
  /** Under which a text that is not saved is kept. */
  readonly target: string;
  readonly notes: readonly Judgement[];
  readonly mayWrite: boolean;
  readonly isRemovable: (note: Judgement) => boolean;
  /** Rejects with the server's words. */
  readonly onAdd: (note: string) => Promise<void>;
  readonly onRemove: (note: Judgement) => void;
}

/** What people wrote about it, as Markdown, and a field for more. */
export function Notes({ target, notes, mayWrite, isRemovable, onAdd, onRemove }: NotesProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = noteDrafts.use(target);
  const [error, setError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const canAdd = text.trim() !== '' && !isSaving;
  useShortcuts('Annotate', mayWrite ? [{ keys: 'n', label: 'Write a note', run: () => field.current?.focus() }] : []);

  async function add(): Promise<void> {
    if (!canAdd) return;
    setIsSaving(true);
    setError(undefined);
    try {
      await onAdd(text.trim());
      if (noteDrafts.get(target) === text) noteDrafts.set(target, '');
      // The keys are those of the page again.
      field.current?.blur();
    } catch (reason) {
      setError(describeError(reason));
    } finally {
      setIsSaving(false);
    }
  }

  return (
    <section className={styles.notes} aria-label="Notes">
      <h3 className={styles.heading}>Notes</h3>
      {notes.length > 0 && (
        <ul className={styles.list}>
          {notes.map((note) => (
            <li key={note.id} className={styles.judgement}>
              <div className={styles.said}>
                <Markdown text={note.explanation ?? ''} />
                {isRemovable(note) && (
                  <IconButton icon={Trash2} size="sm" label="Remove the note" onPress={() => onRemove(note)} />
                )}
              </div>
              <Byline judgement={note} />
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- The key is that of the field inside.
        <div className={styles.write} onKeyDown={(event) => saveByKey(event, add)}>
          <TextArea
            ref={field}
            label="New note"
            isLabelHidden
            placeholder="Write a note; Markdown works"
            rows={2}
            maxLength={MAX_NOTE}
            value={text}
            onChange={(next) => noteDrafts.set(target, next)}
          />
          {text !== '' && (
            <Button size="sm" isDisabled={!canAdd} onPress={() => void add()}>
              Add note
            </Button>
          )}
          {error !== undefined && (
            <p className={styles.error} role="alert">
              The note was not saved. {error}
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** As the server accepts. */
const MAX_NOTE = 65_536;
