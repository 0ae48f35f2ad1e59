import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import styles from './annotate-panel.module.css';
import { freeDrafts } from './drafts.ts';
import { keepFocus } from './focus-first.ts';
import { FreeFields } from './free-fields.tsx';
import { type FreeDraft, NO_FREE_DRAFT, toFreeAnswer } from './model/free-answer.ts';
import { type Target, targetKey } from './model/target.ts';
import { saveByKey } from './save-key.ts';
import { useSave } from './use-save.ts';

interface FreeFormProps {
  readonly projectId: string;
  readonly target: Target;
  /** Names that the project asks for. */
  readonly asked: ReadonlySet<string>;
  readonly onSaved: () => void;
}

/** Annotates under any name; one button where the project asks for something already. */
export function FreeForm({ projectId, target, asked, onSaved }: FreeFormProps) {
  const key = targetKey(target);
  const draft = freeDrafts.use(key);
  const [isOpen, setIsOpen] = useState(asked.size === 0 || draft !== NO_FREE_DRAFT);
  const [isSaving, setIsSaving] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const save = useSave(target);
  const answer = toFreeAnswer(draft, asked);
  const canSave = answer !== undefined && !isSaving;

  function change(next: Partial<FreeDraft>): void {
    freeDrafts.set(key, { ...freeDrafts.get(key), ...next });
    setIsSaved(false);
  }

  async function store(): Promise<void> {
    if (answer === undefined || isSaving) return;
    const returnFocus = keepFocus(form.current);
    setIsSaving(true);
    setError(undefined);
    try {
      await save.store([answer]);
      freeDrafts.set(key, NO_FREE_DRAFT);
      setIsSaved(true);
      onSaved();
      returnFocus();
    } catch (reason) {
      setError(describeError(reason));
    } finally {
      setIsSaving(false);
    }
  }

  if (!isOpen) {
    return (
      <div className={styles.another}>
        <Button variant="ghost" size="sm" icon={Plus} onPress={() => setIsOpen(true)}>
          Annotate under another name
        </Button>
      </div>
    );
  }
  return (
    <form
      ref={form}
      className={styles.free}
      aria-label="Annotation under any name"
      data-answer-field
      onKeyDownCapture={(event) => saveByKey(event, store)}
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      <FreeFields projectId={projectId} kind={target.kind} draft={draft} asked={asked} onChange={change} />
      <div className={styles.freeSave}>
        <Button
          type="submit"
          variant={asked.size === 0 ? 'primary' : 'secondary'}
          shortcut="mod+Enter"
          isDisabled={!canSave}
        >
          Save annotation
        </Button>
        <output className={styles.state}>
          {isSaved ? 'Saved' : answer !== undefined && !isSaving && 'Not saved yet'}
        </output>
      </div>
      {error !== undefined && (
        <p className={styles.freeError} role="alert">
          The annotation was not saved. {error}
        </p>
      )}
    </form>
  );
}
