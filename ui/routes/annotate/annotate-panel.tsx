import { X } from 'lucide-react';
import { type KeyboardEvent, startTransition, Suspense, useEffect, useRef, useState } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { deleteWithUndo } from '#ui/components/delete-with-undo.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { announceAnnotations } from '#ui/lib/annotation-news.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useMay, useViewer } from '#ui/lib/viewer.ts';
import { AnnotateForm } from './annotate-form.tsx';
import styles from './annotate-panel.module.css';
import { focusFirst } from './focus-first.ts';
import { FreeForm } from './free-form.tsx';
import { JudgementList } from './judgement-list.tsx';
import { isOwn, type Judgement } from './model/judgements.ts';
import { type Target, type TargetChoice, targetKey } from './model/target.ts';
import { FirstConfig } from './no-configs.tsx';
import { Notes } from './notes.tsx';
import { useJudgements } from './use-judgements.ts';
import { useNotes } from './use-notes.ts';
import { useSave } from './use-save.ts';

/** See {@link AnnotatePanel}. */
export interface AnnotatePanelProps {
  readonly projectId: string;
  /** Undefined while there is nothing of that kind, or it is not known yet. */
  readonly target: Target | undefined;
  /** What else the panel can be opened for, in the order of their size. */
  readonly choices: readonly { readonly id: TargetChoice; readonly label: string }[];
  readonly choice: TargetChoice;
  readonly onChoose: (choice: TargetChoice) => void;
  readonly onClose: () => void;
  /** Called when what is stored has changed. */
  readonly onChanged?: (() => void) | undefined;
  /** Where the panel stands. */
  readonly place: 'beside' | 'above' | 'sheet';
}

/** Says what people and programs think of a span, trace, session or document, and takes what the user thinks. */
export function AnnotatePanel(props: AnnotatePanelProps) {
  const { projectId, target, choices, choice, onChoose, onClose, place } = props;
  const panel = useRef<HTMLElement>(null);
  const before = useRef(document.activeElement);
  useEffect(() => focusFirst(panel.current), []);

  function close(): void {
    onClose();
    if (before.current instanceof HTMLElement) before.current.focus();
  }
  useShortcuts('Annotate', [{ keys: 'Escape', label: 'Close the panel' }]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The key is that of whatever has the focus inside.
    <aside
      ref={panel}
      className={styles.panel}
      data-place={place}
      data-annotate
      tabIndex={-1}
      aria-label="Annotate"
      onKeyDown={onKeyDown}
    >
      <header className={styles.head}>
        <h2 className={styles.title}>Annotate</h2>
        {choices.length > 1 && (
          <SegmentedControl
            label="What to annotate"
            items={choices}
            selectedKey={choice}
            onSelectionChange={onChoose}
          />
        )}
        <IconButton icon={X} size="sm" label="Close" shortcut="Escape" onPress={close} />
      </header>
      <div className={styles.scroller}>
        {target === undefined ? (
          <EmptyState title={choice === 'span' ? 'Select a span to annotate' : 'There is nothing to annotate'} />
        ) : (
          <ErrorBoundary
            fallbackTitle="The annotations could not be shown"
            resetKey={targetKey(target)}
            missing={<EmptyState title="It is gone">It may have been deleted.</EmptyState>}
          >
            <Suspense fallback={<PanelSkeleton />}>
              <PanelContent key={targetKey(target)} projectId={projectId} target={target} onChanged={props.onChanged} />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
    </aside>
  );
}

interface PanelContentProps extends Pick<AnnotatePanelProps, 'projectId' | 'onChanged'> {
  readonly target: Target;
}

function PanelContent({ projectId, target, onChanged }: PanelContentProps) {
  const [version, setVersion] = useState(0);
  const { fields, own, others, notes } = useJudgements(projectId, target, version);
  const mayWrite = useMay('write');
  const mayRemoveAll = useMay('administer');
  const viewerId = useViewer()?.id ?? null;
  const save = useSave(target);
  const notesOf = useNotes(target.kind, target.id);
  const named = new Set(fields.map(({ name }) => name));
  // What the user said under names that the project does not ask for any more.
  const unasked = [...own.values()].filter(({ name }) => !named.has(name));
  const isRemovable = (judgement: Judgement) => mayWrite && (mayRemoveAll || isOwn(judgement, viewerId));

  function refresh(): void {
    // What is shown stays until it is read again, and with it the focus.
    startTransition(() => setVersion((before) => before + 1));
    announceAnnotations();
    onChanged?.();
  }

  function remove({ id }: Judgement, what: string, run: () => Promise<void>): void {
    deleteWithUndo({ ids: [id], what, run: () => run().then(refresh) });
  }

  const judgements = [...unasked, ...others];
  return (
    <>
      {mayWrite && fields.length > 0 && <AnnotateForm target={target} fields={fields} own={own} onSaved={refresh} />}
      {mayWrite && fields.length === 0 && <FirstConfig projectId={projectId} onMade={refresh} />}
      {mayWrite && <FreeForm projectId={projectId} target={target} asked={named} onSaved={refresh} />}
      {judgements.length > 0 && (
        <section className={styles.others} aria-label={fields.length > 0 ? 'Annotations of others' : 'Annotations'}>
          <h3 className={styles.heading}>{mayWrite && fields.length > 0 ? 'Others' : 'Annotations'}</h3>
          <JudgementList
            judgements={mayWrite ? judgements : [...own.values(), ...others]}
            isRemovable={isRemovable}
            onRemove={(judgement) =>
              remove(judgement, `The annotation “${revealHidden(judgement.name)}”`, () => save.remove([judgement.id]))
            }
          />
        </section>
      )}
      {target.kind !== 'document' && (
        <Notes
          target={targetKey(target)}
          notes={notes}
          mayWrite={mayWrite}
          isRemovable={isRemovable}
          onAdd={async (note) => {
            await notesOf.add(note);
            refresh();
          }}
          onRemove={(note) => remove(note, 'The note', () => notesOf.remove(note.id))}
        />
      )}
    </>
  );
}

function PanelSkeleton() {
  return (
    <section className={styles.skeleton} aria-busy="true" aria-label="Loading annotations">
      <Skeleton width="40%" height={14} />
      <Skeleton height={30} />
      <Skeleton width="30%" height={14} />
      <Skeleton height={30} />
    </section>
  );
}
