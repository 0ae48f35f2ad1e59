import { useState } from 'react';
import { graphql } from 'react-relay';
import type { clearProjectCountQuery } from '#ui/__generated__/clearProjectCountQuery.graphql.ts';
import type { clearProjectMutation } from '#ui/__generated__/clearProjectMutation.graphql.ts';
import { DateTimeField } from '#ui/components/date-time-field.tsx';
import { Name } from '#ui/components/name.tsx';
import { Select } from '#ui/components/select.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { fromWallTime, toWallTime } from '#ui/lib/zoned-time.ts';
import { ConfirmDeletion } from './confirm-deletion.tsx';
import { useCommit } from './use-commit.ts';
import styles from './clear-project.module.css';

const COUNT = graphql`
  query clearProjectCountQuery($projectId: ID!, $timeRange: TimeRange) {
    project: node(id: $projectId) {
      ... on Project {
        traceCount(timeRange: $timeRange)
      }
    }
  }
`;

const CLEAR = graphql`
  mutation clearProjectMutation($input: ClearProjectInput!) {
    clearProject(input: $input) {
      projectCount
    }
  }
`;

const AGES = [
  { id: 'all', label: 'All traces' },
  { id: '7', label: 'Traces older than 7 days' },
  { id: '30', label: 'Traces older than 30 days' },
  { id: '90', label: 'Traces older than 90 days' },
  { id: 'own', label: 'Traces that started before…' },
] as const;

type Age = (typeof AGES)[number]['id'];

const DAY_MS = 86_400_000;

/** Asks which traces of a project are to be deleted, says how many they are, and deletes them. */
export function ClearProject({
  project,
  onClose,
  onDone,
}: {
  readonly project: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const zone = useTimeZone();
  // What is counted is what is deleted, however long somebody thinks about it.
  const [openedMs] = useState(() => Date.now());
  const [age, setAge] = useState<Age>('all');
  const [before, setBefore] = useState(() => toWallTime(openedMs - 30 * DAY_MS, zone));
  const endMs = age === 'own' ? fromWallTime(before, zone) : openedMs - Number(age) * DAY_MS;
  const end = age === 'all' || endMs === undefined ? null : new Date(endMs).toISOString();
  const isDated = age === 'all' || end !== null;
  const asked = isDated ? { projectId: project.id, timeRange: end === null ? {} : { end } } : null;
  const { data, error, isLoading } = useAnswer<clearProjectCountQuery>(COUNT, asked, 0);
  const count = isDated && !isLoading ? data?.project.traceCount : undefined;
  const clear = useCommit<clearProjectMutation>(CLEAR);
  return (
    <ConfirmDeletion
      title="Delete traces"
      verb="Delete traces"
      name={project.name}
      canConfirm={isDated && count !== 0}
      onClose={onClose}
      onConfirm={async () => {
        await clear({ input: { id: project.id, endTime: end } });
        onClose();
        onDone();
        showToast({ tone: 'success', title: `The traces of ${revealHidden(project.name)} were deleted` });
      }}
    >
      <p>
        Deletes traces of <Name>{project.name}</Name> with all their spans, and the sessions that this leaves empty. The
        project itself is kept. This cannot be undone.
      </p>
      <Select label="Traces to delete" items={AGES} selectedKey={age} onSelectionChange={setAge} />
      {age === 'own' && (
        <DateTimeField label={`Before, in ${zone}`} value={before} onChange={setBefore} isInvalid={end === null} />
      )}
      <output className={styles.count}>
        {!isDated && 'Choose a date and time.'}
        {isDated && count === undefined && (error === undefined ? 'Counting…' : 'The traces could not be counted.')}
        {count === 0 && 'No trace started before then; nothing would be deleted.'}
        {count !== undefined && count > 0 && (
          <>
            Deletes{' '}
            <b>
              {formatExact(count)} {nounOf(count, 'traces')}
            </b>
            .
          </>
        )}
      </output>
    </ConfirmDeletion>
  );
}
