import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { graphql } from 'react-relay';
import type { annotateSelectedMutation } from '#ui/__generated__/annotateSelectedMutation.graphql.ts';
import type { annotateSelectedQuery } from '#ui/__generated__/annotateSelectedQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { AnswerFieldView } from '../../annotate/answer-field.tsx';
import { focusFirst } from '../../annotate/focus-first.ts';
import { FreeFields } from '../../annotate/free-fields.tsx';
import { changesOf, type Drafts, draftOf, NO_ANSWER, scoreFault } from '../../annotate/model/answers.ts';
import { isEmpty, NO_FREE_DRAFT, toFreeAnswer } from '../../annotate/model/free-answer.ts';
import { readFields } from '../../annotate/read-fields.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import { useListContext } from '../list-context.ts';
import type { BulkAction } from './bulk-actions.ts';
import { toBulkInput, upTo } from './bulk-input.ts';
import type { SelectedProps } from './delete-selected.tsx';
import { type SelectedCount, useSelectedCount } from './use-selected-count.ts';

const FIELDS = graphql`
  query annotateSelectedQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "asking") {
        ...readFields_project
      }
    }
  }
`;

const ANNOTATE = graphql`
  mutation annotateSelectedMutation($input: BulkSelectionInput!, $annotation: BulkAnnotationInput!) {
    bulkAnnotate(input: $input, annotation: $annotation) {
      ...bulkActions_action
    }
  }
`;

/** Asks what the project's configs ask for, or for any name, and says it of all selected rows: each answer is an action of its own. */
export function AnnotateSelected({ scope, selection, onClose, onStarted }: SelectedProps) {
  const { noun } = useListContext();
  const [frozen] = useState(() => upTo(scope, Date.now()));
  const count = useSelectedCount(frozen, selection);
  const { fields, error } = useFields(scope.projectId);
  const [drafts, setDrafts] = useState<Drafts>(NO_DRAFTS);
  const [free, setFree] = useState(NO_FREE_DRAFT);
  const [wantsFree, setWantsFree] = useState(false);
  // What one that was refused leaves of those before it.
  const started = useRef<BulkAction[]>([]);
  const annotate = useCommit<annotateSelectedMutation>(ANNOTATE);
  const asked = new Set(fields?.map(({ name }) => name));
  const freeAnswer = toFreeAnswer(free, asked);
  const answers = [...changesOf(drafts, NOTHING_SAID).stored, ...(freeAnswer ? [freeAnswer] : [])];
  const isUnfinished = freeAnswer === undefined && !isEmpty(free);
  const hasFault = fields?.some((field) => scoreFault(field, drafts.get(field.name) ?? NO_DRAFT) !== null) === true;
  const canSubmit = answers.length > 0 && !hasFault && !isUnfinished && count.rows !== undefined && count.rows > 0;
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (!canSubmit) return false;
    for (const { name, answer } of answers) {
      const { bulkAnnotate } = await annotate({
        input: toBulkInput(frozen, selection),
        annotation: { name, ...answer },
      });
      started.current.push(bulkAnnotate);
      setDrafts((before) => new Map([...before].filter(([other]) => other !== name)));
      if (name === freeAnswer?.name) setFree(NO_FREE_DRAFT);
    }
    close();
    return undefined;
  });

  function close(): void {
    onClose();
    for (const action of started.current) onStarted(action);
  }

  const form = useRef<HTMLDivElement>(null);
  const isRead = fields !== undefined;
  useEffect(() => {
    if (isRead) focusFirst(form.current);
  }, [isRead]);
  const named = nounOf(count.rows ?? 2, noun);
  return (
    <FormDialog
      title={`Annotate ${named}`}
      verb={`Annotate ${named}`}
      size="md"
      isPending={isPending}
      canSubmit={canSubmit}
      onSubmit={onSubmit}
      onClose={close}
      refusal={refusal ?? (error && describeError(error))}
    >
      <p>{describe(count, noun)}</p>
      <div ref={form}>
        {fields === undefined && error === undefined && <Skeleton lines={3} height={14} />}
        {fields?.map((field) => (
          <AnswerFieldView
            key={field.name}
            field={field}
            draft={drafts.get(field.name) ?? NO_DRAFT}
            onChange={(draft) => setDrafts((before) => new Map(before).set(field.name, draft))}
            // Shortcuts do nothing while a window is open.
            isActive={false}
            onActivate={() => undefined}
          />
        ))}
        {isRead &&
          (wantsFree || asked.size === 0 ? (
            <FreeFields
              projectId={scope.projectId}
              kind={scope.grain}
              draft={free}
              asked={asked}
              onChange={(change) => setFree((before) => ({ ...before, ...change }))}
            />
          ) : (
            <Button variant="ghost" size="sm" icon={Plus} onPress={() => setWantsFree(true)}>
              Annotate under another name
            </Button>
          ))}
      </div>
    </FormDialog>
  );
}

const NO_DRAFTS: Drafts = new Map();
const NO_DRAFT = draftOf(NO_ANSWER);
/** Rows may have different answers already, which the window does not read. */
const NOTHING_SAID = new Map<string, typeof NO_ANSWER>();

function useFields(projectId: string) {
  const { data, error } = useAnswer<annotateSelectedQuery>(FIELDS, { projectId }, 0);
  const fields = data && (data.project.asking == null ? [] : readFields(data.project.asking));
  return { fields, error };
}

function describe({ rows, isExact }: SelectedCount, noun: string): string {
  if (rows === undefined) return 'Counting…';
  const amount = `${isExact ? '' : 'More than '}${formatExact(rows)} ${nounOf(rows, noun)}`;
  const verb = rows === 1 && isExact ? 'gets' : 'get';
  return `${amount} ${verb} your answer. It replaces what you answered before; answers of others stay.`;
}
