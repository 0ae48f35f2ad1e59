import { useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './annotate-panel.module.css';
import { AnswerFieldView, KEYED_CHOICES } from './answer-field.tsx';
import { answerDrafts } from './drafts.ts';
import {
  type AnswerField,
  answerOf,
  changesOf,
  type Draft,
  draftOf,
  isNothing,
  isSameDraft,
  isUnchanged,
  NO_ANSWER,
  scoreFault,
  withLabel,
} from './model/answers.ts';
import type { Judgement } from './model/judgements.ts';
import { type Target, targetKey } from './model/target.ts';
import { keepFocus } from './focus-first.ts';
import { saveByKey } from './save-key.ts';
import { useSave } from './use-save.ts';

/** See {@link AnnotateForm}. */
export interface AnnotateFormProps {
  readonly target: Target;
  readonly fields: readonly AnswerField[];
  /** By name. */
  readonly own: ReadonlyMap<string, Judgement>;
  /** Called when what is stored has changed. */
  readonly onSaved: () => void;
  /** What else the button does, where answers that have not changed are sent on as well. */
  readonly completion?: Completion | undefined;
}

/** See {@link AnnotateFormProps.completion}. */
export interface Completion {
  /** What the button says. */
  readonly verb: string;
  readonly run: () => Promise<void>;
}

/** The form that a project's configs make: number keys choose, `mod+Enter` saves. */
export function AnnotateForm({ target, fields, own, onSaved, completion }: AnnotateFormProps) {
  const key = targetKey(target);
  const drafts = answerDrafts.use(key);
  const [activeName, setActiveName] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const save = useSave(target);
  // Number keys choose at once where there is something to choose.
  const first = fields.find(({ kind }) => kind === 'categorical') ?? fields[0];
  const active = fields.find(({ name }) => name === activeName) ?? first;
  const changes = changesOf(drafts, own);
  const hasFault = fields.some((field) => scoreFault(field, draftFor(field)) !== null);
  const hasAnswer = fields.some((field) => !isNothing(answerOf(draftFor(field))));
  const isReady = completion === undefined ? !isUnchanged(changes) : hasAnswer;
  const canSave = isReady && !hasFault && !isSaving;

  function savedDraft({ name }: AnswerField): Draft {
    return draftOf(own.get(name) ?? NO_ANSWER);
  }

  function draftFor(field: AnswerField): Draft {
    return drafts.get(field.name) ?? savedDraft(field);
  }

  function change(field: AnswerField, draft: Draft): void {
    const next = new Map(answerDrafts.get(key)).set(field.name, draft);
    if (isSameDraft(draft, savedDraft(field))) next.delete(field.name);
    answerDrafts.set(key, next);
    setIsSaved(false);
  }

  function choose(place: number): void {
    if (active?.kind !== 'categorical') return;
    const value = active.values[place];
    // Pressed again it stays chosen: whoever judges fast must not clear an answer unseen.
    if (value === undefined || draftFor(active).label === value.label) return;
    change(active, withLabel(active, draftFor(active), value.label));
  }

  async function store(): Promise<void> {
    if (!canSave) {
      if (hasFault) form.current?.querySelector<HTMLElement>('[data-invalid] input, input[data-invalid]')?.focus();
      return;
    }
    const returnFocus = keepFocus(form.current);
    setIsSaving(true);
    setError(undefined);
    try {
      await save.store(changes.stored);
      await save.remove(changes.removed.flatMap((name) => own.get(name)?.id ?? []));
      // What was chosen meanwhile is not saved yet.
      const left = [...answerDrafts.get(key)].filter(([name, draft]) => drafts.get(name) !== draft);
      answerDrafts.set(key, new Map(left));
      setIsSaved(true);
      onSaved();
      returnFocus();
      await completion?.run();
    } catch (reason) {
      setError(describeError(reason));
    } finally {
      setIsSaving(false);
    }
  }

  function describeState(): string | false {
    if (completion !== undefined && !hasAnswer) return 'Answer a question, or skip';
    if (isUnchanged(changes)) return isSaved && 'Saved';
    return !isSaving && 'Not saved yet';
  }

  const numbers = active?.kind === 'categorical' ? active.values.slice(0, KEYED_CHOICES) : [];
  useShortcuts('Annotate', [
    ...numbers.map(
      ({ label }, place): Shortcut => ({
        keys: String(place + 1),
        label: `Choose ${label}`,
        run: () => choose(place),
      }),
    ),
    { keys: 'mod+Enter', label: completion?.verb ?? 'Save the annotations', run: () => void store() },
  ]);
  return (
    <form
      ref={form}
      className={styles.form}
      onKeyDownCapture={(event) => saveByKey(event, store)}
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      {fields.map((field) => (
        <AnswerFieldView
          key={field.name}
          field={field}
          draft={draftFor(field)}
          onChange={(draft) => change(field, draft)}
          isActive={field === active}
          onActivate={() => setActiveName(field.name)}
        />
      ))}
      <div className={styles.save}>
        <Button
          type="submit"
          variant="primary"
          shortcut="mod+Enter"
          tooltip={completion?.verb ?? 'Save'}
          isDisabled={!canSave}
        >
          {completion?.verb ?? 'Save'}
        </Button>
        <output className={styles.state}>{describeState()}</output>
      </div>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          The annotations were not saved. {error}
        </p>
      )}
    </form>
  );
}
