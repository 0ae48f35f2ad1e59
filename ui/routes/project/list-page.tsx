import { useChildMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { ChartColumn, ListFilter } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { FilterGrain } from '#filter/tree';
import { IconButton } from '#ui/components/button.tsx';
import { ColumnMenu } from '#ui/components/data-table/column-menu.tsx';
import type { Sort, TableColumn } from '#ui/components/data-table/table-column.ts';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { TooltipPlacement } from '#ui/components/tooltip.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useStored } from '#ui/lib/storage.ts';
import { CopyAsMenu } from './export/copy-as-menu.tsx';
import { DownloadMenu } from './export/download-menu.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import { MatchCount } from './filter/match-count.tsx';
import { stripChoice, useFacetsChoice } from './list-choices.ts';
import { ListContext, type ListHandle, type ListView } from './list-context.ts';
import type { ListScope } from './list-scope.ts';
import { Peek } from './peek.tsx';
import styles from './project.module.css';
import { type ProjectTab, useProjectView } from './project-view.ts';
import { SortMenu } from './sort-menu.tsx';
import { ListStrip } from './strip/list-strip.tsx';
import { useColumnLayout, useDensity } from './use-column-layout.ts';
import { useIsTight } from './use-is-tight.ts';

const FacetPanel = lazy(async () => ({ default: (await import('./facets/facet-panel.tsx')).FacetPanel }));

interface ListPageProps<Row> {
  readonly name: ProjectTab;
  readonly label: string;
  readonly noun: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly sort: Sort;
  /** Of which a filter is. */
  readonly grain: FilterGrain;
  /** What figures beside the table are about; undefined where the filter has mistakes. */
  readonly scope: ListScope | undefined;
  /** Stand at the end of the line above the table. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** A table of a project, with what is open beside it. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { name, label, noun, columns, sort, grain, scope, tools, children } = props;
  const { projectId, toolPlace } = useProjectView();
  const [layout, setLayout] = useColumnLayout(projectId, name, columns);
  const [density, setDensity] = useDensity();
  const handle = useRef<ListHandle>(null);
  const isOpen = useChildMatches().length > 0;
  const isNarrow = useMediaQuery(NARROW);
  const { view, filter = null } = useSearch({ strict: false });
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const isTight = useIsTight(place);
  const areOver = isNarrow || isTight;
  const [hasFacets, setHasFacets] = useFacetsChoice(areOver);
  const facetsOpener = useRef<HTMLButtonElement>(null);
  const hasStrip = useStored(stripChoice);
  const navigate = useNavigate();
  const applyFilter = (next: string | null) =>
    void navigate({ to: '.', search: (before) => ({ ...before, filter: next ?? undefined }) });
  const [refusal, setRefusal] = useState<Error | null>(null);
  const list: ListView = { name, label, noun, sort, filter, layout, setLayout, density, handle, onRefusal: setRefusal };
  useShortcuts(label, [
    { keys: 'j', label: 'Next row', run: () => handle.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => handle.current?.step(-1) },
    { keys: 'b', label: 'Facets', run: () => setHasFacets(!hasFacets) },
  ]);
  const only = !isOpen ? 'primary' : isNarrow || view === 'full' ? 'secondary' : undefined;
  const facetsButton = (
    <IconButton
      ref={facetsOpener}
      icon={ListFilter}
      label={hasFacets ? 'Close the facets' : 'Show facets'}
      shortcut="b"
      isPressed={hasFacets}
      onPress={() => setHasFacets(!hasFacets)}
    />
  );
  const count = scope?.filter != null && <MatchCount scope={scope} noun={noun} isShort={isNarrow} />;
  const fileButtons = scope !== undefined && (
    <>
      <CopyAsMenu scope={scope} />
      <DownloadMenu scope={scope} />
    </>
  );
  const stripButton = (
    <IconButton
      icon={ChartColumn}
      label={hasStrip ? 'Hide the chart' : 'Show the chart'}
      isPressed={hasStrip}
      onPress={() => stripChoice.set(!hasStrip)}
    />
  );
  return (
    <ListContext value={list}>
      {toolPlace !== null &&
        only !== 'secondary' &&
        !isNarrow &&
        createPortal(
          <>
            {tools}
            <ColumnMenu
              columns={columns}
              layout={layout}
              onLayoutChange={setLayout}
              density={density}
              onDensityChange={setDensity}
            />
          </>,
          toolPlace,
        )}
      <SplitPane
        id={`peek.${name}`}
        label="Resize the panel"
        defaultSize={44}
        min={340}
        only={only}
        primary={
          <section ref={setPlace} className={styles.list} aria-label={label}>
            {scope !== undefined && hasFacets && (
              <Suspense>
                <FacetPanel
                  scope={scope}
                  noun={noun}
                  filter={filter}
                  onFilter={applyFilter}
                  onClose={() => {
                    setHasFacets(false);
                    facetsOpener.current?.focus();
                  }}
                  isOver={areOver}
                />
              </Suspense>
            )}
            <div className={styles.body}>
              <TooltipPlacement value="bottom">
                <FilterBar
                  projectId={projectId}
                  grain={grain}
                  applied={filter}
                  noun={noun}
                  onApply={applyFilter}
                  refusal={refusal}
                  before={!isNarrow && facetsButton}
                  after={
                    <>
                      {count}
                      {!isNarrow && fileButtons}
                      {!isNarrow && stripButton}
                    </>
                  }
                  below={
                    isNarrow && (
                      <div className={styles.toolLine}>
                        {facetsButton}
                        {tools}
                        <span className={styles.spring} />
                        <SortMenu columns={columns} />
                        {fileButtons}
                        {stripButton}
                      </div>
                    )
                  }
                />
              </TooltipPlacement>
              {scope !== undefined && hasStrip && <ListStrip scope={scope} noun={noun} />}
              <div className={styles.rows}>{children}</div>
            </div>
          </section>
        }
        secondary={isOpen && <Peek list={handle} hasRoomForBoth={!isNarrow} />}
      />
    </ListContext>
  );
}
