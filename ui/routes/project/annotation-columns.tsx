import { useEffect, useMemo } from 'react';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { useUsedNames } from '#ui/lib/annotation-names.ts';
import { useAnnotationNews } from '#ui/lib/annotation-news.ts';
import { takingTurns } from '#ui/lib/live.ts';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { createStored, type Stored, useStored } from '#ui/lib/storage.ts';
import { AnnotationCell, NoteCountCell } from './annotation-cells.tsx';
import { annotationColumnId, NOTE, NOTES_COLUMN, readObservedNames, toAnnotationNames } from './annotation-ids.ts';
import type { SaidSummary } from './annotation-summary.ts';
import { type ProjectTab, useProjectView } from './project-view.ts';

/** Columns that a table shows before somebody chooses. */
const SHOWN_AT_FIRST = 3;

/** What is said of a row; fields that were not asked for are undefined. */
export interface Said {
  readonly summaries: readonly SaidSummary[] | undefined;
  readonly notes: readonly unknown[] | undefined;
}

const KINDS = { spans: 'span', traces: 'trace', sessions: 'session' } as const;

/** Names are read again at most this often while annotations and spans arrive. */
const NAMES_TURN_MS = 3000;

/**
 * Looks which annotations the rows of a table have, and again when some are changed. Until the answer, the table has the columns that it
 * had before.
 */
export function useReadAnnotationNames(table: ProjectTab): void {
  const { projectId, refreshCount, isLive } = useProjectView();
  const news = useAnnotationNews();
  const { names: observed, ask } = useUsedNames(projectId, KINDS[table], `${refreshCount} ${news}`);
  const onChange = useMemo(
    () =>
      takingTurns(async () => {
        if (!document.hidden) ask();
      }, NAMES_TURN_MS),
    [ask],
  );
  useProjectChanges(projectId, isLive, onChange);
  useEffect(() => {
    if (observed === undefined) return;
    const { names, hasNotes } = toAnnotationNames(observed);
    const stored = storedNames(projectId, table);
    const next = hasNotes ? [...names, NOTE] : names;
    if (JSON.stringify(stored.get()) !== JSON.stringify(next)) stored.set(next);
  }, [observed, projectId, table]);
}

/** The columns of a table with those for annotations behind the column `after`, and what rows must be asked for. */
export function useColumnsWithAnnotations<Row>(
  projectId: string,
  table: ProjectTab,
  columns: readonly TableColumn<Row>[],
  after: string,
  saidOf: (row: Row) => Said,
) {
  const observed = useStored(storedNames(projectId, table));
  return useMemo(() => {
    const { names, hasNotes } = toAnnotationNames(observed);
    const added = names.map(
      (name, place): TableColumn<Row> => ({
        id: annotationColumnId(name),
        header: name,
        description: `${name}: the most frequent label and the mean score`,
        size: 124,
        isSortable: true,
        isHiddenAtFirst: place >= SHOWN_AT_FIRST,
        render: (row) => <AnnotationCell summary={saidOf(row).summaries?.find((summary) => summary.name === name)} />,
      }),
    );
    const notes: TableColumn<Row> = {
      id: NOTES_COLUMN,
      header: 'Notes',
      description: 'How many notes there are',
      size: 72,
      align: 'end',
      isHiddenAtFirst: true,
      render: (row) => <NoteCountCell count={saidOf(row).notes?.length ?? 0} />,
    };
    const place = columns.findIndex(({ id }) => id === after) + 1;
    return {
      columns: columns.toSpliced(place, 0, ...added, ...(hasNotes ? [notes] : [])),
      annotated: names.length > 0,
      noted: hasNotes,
    };
  }, [observed, columns, after, saidOf]);
}

/** The names that have columns. */
export function useAnnotationNames(projectId: string, table: ProjectTab): readonly string[] {
  const observed = useStored(storedNames(projectId, table));
  return useMemo(() => toAnnotationNames(observed).names, [observed]);
}

const known = new Map<string, Stored<readonly string[]>>();

/** What was observed last, so that a table has its columns, and asks for their values, from the beginning. */
function storedNames(projectId: string, table: ProjectTab): Stored<readonly string[]> {
  const key = `annotations.${table}.${projectId}`;
  const stored = known.get(key) ?? createStored<readonly string[]>(key, [], readObservedNames);
  known.set(key, stored);
  return stored;
}
