import { type ReactNode, useState } from 'react';
import { graphql } from 'react-relay';
import type { backgroundWorkQuery } from '#ui/__generated__/backgroundWorkQuery.graphql.ts';
import type { backgroundWorkRepriceMutation } from '#ui/__generated__/backgroundWorkRepriceMutation.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import settingsStyles from '../settings.module.css';
import styles from './data-page.module.css';
import { useReindex } from './use-reindex.ts';
import { useTicks } from './use-ticks.ts';

const QUERY = graphql`
  query backgroundWorkQuery {
    pricingPass {
      isRunning
      progress
      readCount
      changedCount
      finishedAt
    }
  }
`;

/** Work over all stored spans: how far it is, and what begins it. */
export function BackgroundWork() {
  return (
    <section aria-label="Work on stored spans">
      <h3 className={styles.heading}>Work on stored spans</h3>
      <div className={styles.passes}>
        <Reading />
        <Pricing />
      </div>
    </section>
  );
}

function Reading() {
  const [status, start] = useReindex();
  const mayStart = useMay('administer');
  const begin = () =>
    void start().catch((error: unknown) =>
      showToast({ tone: 'danger', title: 'The work could not be started', description: describeError(error) }),
    );
  return (
    <Pass
      title="Reading"
      pass={
        status && {
          isRunning: status.is_running,
          progress: status.progress ?? 0,
          readCount: status.read_count,
          changedCount: status.changed_count,
          finishedAt: status.finished_at,
        }
      }
      idle={status?.is_stale === true ? 'Some spans were read by the rules of another version.' : 'Up to date.'}
      action={mayStart && <Button onPress={begin}>Re-read spans</Button>}
    />
  );
}

function Pricing() {
  const [isOpen, setIsOpen] = useState(false);
  const [changeCount, setChangeCount] = useState(0);
  const mayStart = useMay('administer');
  const [isFollowed, setIsFollowed] = useState(false);
  const tick = useTicks(isFollowed);
  const { data } = useAnswer<backgroundWorkQuery>(QUERY, {}, `${changeCount}.${tick}`);
  const pass = data?.pricingPass ?? undefined;
  const isRunning = pass?.isRunning === true;
  if (isRunning !== isFollowed) setIsFollowed(isRunning);
  return (
    <>
      <Pass
        title="Pricing"
        pass={pass && { ...pass, finishedAt: pass.finishedAt ?? null }}
        idle="Spans keep the prices in effect when they arrived."
        action={mayStart && <Button onPress={() => setIsOpen(true)}>Price again…</Button>}
      />
      {isOpen && (
        <RepriceDialog onClose={() => setIsOpen(false)} onStarted={() => setChangeCount((count) => count + 1)} />
      )}
    </>
  );
}

interface PassProps {
  readonly title: string;
  /** Undefined before the first one. */
  readonly pass:
    | {
        readonly isRunning: boolean;
        readonly progress: number;
        readonly readCount: number;
        readonly changedCount: number;
        readonly finishedAt: string | null;
      }
    | undefined;
  /** What holds while nothing is done. */
  readonly idle: string;
  readonly action: ReactNode;
}

function Pass({ title, pass, idle, action }: PassProps) {
  const percent = pass === undefined ? 0 : Math.floor(pass.progress * 100);
  return (
    <div className={styles.pass}>
      <h4>{title}</h4>
      <div className={styles.progress}>
        {pass?.isRunning === true ? (
          <>
            <progress value={pass.progress} aria-label={title} />
            <span>{percent} %</span>
            <span className={settingsStyles.muted}>
              {formatExact(pass.readCount)} {nounOf(pass.readCount, 'spans')} read, {formatExact(pass.changedCount)}{' '}
              changed
            </span>
          </>
        ) : (
          <>
            <span>{idle}</span>
            {pass?.finishedAt != null && (
              <span className={settingsStyles.muted}>
                Last done <Timestamp value={pass.finishedAt} />, {formatExact(pass.changedCount)} changed
              </span>
            )}
          </>
        )}
      </div>
      {pass?.isRunning === true ? null : action}
    </div>
  );
}

interface RepriceDialogProps {
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

function RepriceDialog({ onClose, onStarted }: RepriceDialogProps) {
  const [pattern, setPattern] = useState('');
  const reprice = useCommit<backgroundWorkRepriceMutation>(graphql`
    mutation backgroundWorkRepriceMutation($input: RepriceSpansInput!) {
      repriceSpans(input: $input) {
        isRunning
      }
    }
  `);
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    await reprice({ input: { namePattern: pattern.trim() === '' ? null : pattern.trim() } });
    onClose();
    onStarted();
  });
  return (
    <FormDialog
      title="Price stored spans again"
      verb="Price again"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <p>Gives stored spans the prices of now, in the background. A cost that an application reported stays.</p>
      <TextField
        label="Models"
        placeholder="all"
        spellCheck="false"
        autoComplete="off"
        value={pattern}
        onChange={setPattern}
        hint="A regular expression that is searched for in the model’s name."
      />
    </FormDialog>
  );
}
