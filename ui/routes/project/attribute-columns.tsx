import { useMemo } from 'react';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { createStored, type Stored, useStored } from '#ui/lib/storage.ts';
import { attributeColumnId, readPaths } from './attribute-ids.ts';
import { TextCell } from './cells.tsx';
import { useViewLook } from './views/open-view.ts';

/** The tables that have columns for attributes. */
export type AttributeTable = 'spans' | 'traces';

/** The attributes that have a column, and what changes them. */
export function useAttributePathsShown(projectId: string, table: AttributeTable) {
  const stored = storedPaths(projectId, table);
  const kept = useStored(stored);
  const open = useViewLook();
  if (open === undefined) return [kept, stored.set] as const;
  return [open.look.attributes ?? kept, (attributes: readonly string[]) => open.change({ attributes })] as const;
}

/** The columns of a table, those for attributes last. */
export function useColumnsWithAttributes<Row>(
  projectId: string,
  table: AttributeTable,
  columns: readonly TableColumn<Row>[],
  /** The texts of a row, in the order of the paths. */
  textsOf: (row: Row) => readonly (string | null | undefined)[],
) {
  const [paths] = useAttributePathsShown(projectId, table);
  return useMemo(() => {
    const added = paths.map(
      (path, place): TableColumn<Row> => ({
        id: attributeColumnId(path),
        header: path,
        description: path,
        size: 140,
        isAdded: true,
        render: (row) => <TextCell>{textsOf(row)[place]}</TextCell>,
      }),
    );
    return { columns: [...columns, ...added], paths };
  }, [paths, columns, textsOf]);
}

const known = new Map<string, Stored<readonly string[]>>();

function storedPaths(projectId: string, table: AttributeTable): Stored<readonly string[]> {
  const key = `attributes.${table}.${projectId}`;
  const stored = known.get(key) ?? createStored<readonly string[]>(key, [], readPaths);
  known.set(key, stored);
  return stored;
}
