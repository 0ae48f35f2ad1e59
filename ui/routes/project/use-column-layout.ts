import { useMemo, useState } from 'react';
import type { Density } from '#ui/components/data-table/table-column.ts';
import { type ColumnLayout, type ColumnSpec, readLayout } from '#ui/lib/columns.ts';
import { createStored, readStored, useStored, writeStored } from '#ui/lib/storage.ts';

/** The layout of a table's columns in a project, kept by the browser, and what changes it. */
export function useColumnLayout(
  projectId: string,
  table: string,
  specs: readonly ColumnSpec[],
): readonly [ColumnLayout, (layout: ColumnLayout) => void] {
  const key = `columns.${table}.${projectId}`;
  const stored = useMemo(() => readStored(key, (value) => value), [key]);
  const [changed, setChanged] = useState<{ readonly key: string; readonly layout: ColumnLayout }>();
  const set = useMemo(
    () => (layout: ColumnLayout) => {
      writeStored(key, layout);
      setChanged({ key, layout });
    },
    [key],
  );
  const kept = changed?.key === key ? changed.layout : stored;
  // Columns may have been added since.
  return [useMemo(() => readLayout(kept, specs), [kept, specs]), set];
}

const densityChoice = createStored<Density>('density', 'regular', (value) =>
  (['compact', 'regular', 'tall'] as const).find((density) => density === value),
);

/** How much room rows take, in every table of this browser, and what changes it. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  return [useStored(densityChoice), densityChoice.set];
}
