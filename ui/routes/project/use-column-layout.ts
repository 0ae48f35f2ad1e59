import { useMemo, useState } from 'react';
import type { Density } from '#ui/components/data-table/table-column.ts';
import { type ColumnLayout, type ColumnSpec, readLayout } from '#ui/lib/columns.ts';
import { createStored, readStored, useStored, writeStored } from '#ui/lib/storage.ts';
import { useViewLook } from './views/open-view.ts';

/** The layout of a table's columns in a project, as the open view or else the browser keeps it, and what changes it. */
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
  const open = useViewLook();
  // Groups have other columns than rows.
  const ofView = open?.tableKey === table ? open : undefined;
  const layout = ofView?.look.columns ?? kept;
  // Columns may have been added since.
  return [
    useMemo(() => readLayout(layout, specs), [layout, specs]),
    ofView === undefined ? set : (columns) => ofView.change({ columns }),
  ];
}

const densityChoice = createStored<Density>('density', 'regular', (value) =>
  (['compact', 'regular', 'tall'] as const).find((density) => density === value),
);

/** How much room rows take, in the open view or else in every table of this browser, and what changes it. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const open = useViewLook();
  const chosen = useStored(densityChoice);
  if (open === undefined) return [chosen, densityChoice.set];
  return [open.look.density ?? chosen, (density) => open.change({ density })];
}
