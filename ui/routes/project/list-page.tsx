import { useChildMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { ChartColumn, ListFilter } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { FilterGrain } from '#filter/tree';
import { Button, IconButton } from '#ui/components/button.tsx';
import { createSelectionStore } from '#ui/components/data-table/selection-store.ts';
import { ColumnMenu } from '#ui/components/data-table/column-menu.tsx';
import type { Sort, TableColumn } from '#ui/components/data-table/table-column.ts';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { TooltipPlacement } from '#ui/components/tooltip.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useStored } from '#ui/lib/storage.ts';
import { AddAttribute } from './add-attribute.tsx';
import { useAttributePathsShown } from './attribute-columns.tsx';
import { attributeColumnId } from './attribute-ids.ts';
import { CopyAsMenu } from './export/copy-as-menu.tsx';
import { DownloadMenu } from './export/download-menu.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import { ListFigures } from './figures/list-figures.tsx';
import { phoneStripChoice, stripChoice, useFacetsChoice } from './list-choices.ts';
import { ListContext, type ListView, type TableHandle } from './list-context.ts';
import { groupingOf } from './groups/groupings.ts';
import type { ListScope } from './list-scope.ts';
import { Peek } from './peek.tsx';
import styles from './project.module.css';
import { type ProjectTab, useProjectView } from './project-view.ts';
import { SelectionPlace } from './selection/selection-place.tsx';
import { SortMenu } from './sort-menu.tsx';
import { ListStrip } from './strip/list-strip.tsx';
import { useColumnLayout, useDensity } from './use-column-layout.ts';
import { NO_FACETS_PX, ONE_LINE_PX, TIGHT_PX, useIsNarrowerThan } from './use-is-narrower-than.ts';
import { ViewMenu } from './views/view-menu.tsx';

const FacetPanel = lazy(async () => ({ default: (await import('./facets/facet-panel.tsx')).FacetPanel }));

interface ListPageProps {
  readonly name: ProjectTab;
  readonly label: string;
  readonly noun: string;
  readonly columns: readonly TableColumn<never>[];
  /** Whether it shows groups of rows, which have columns of their own. */
  readonly isGrouped?: boolean;
  /** Whether columns for attributes can be added. */
  readonly hasAttributes?: boolean;
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
export function ListPage(props: ListPageProps) {
  const { name, label, noun, columns, isGrouped = false, hasAttributes = false, sort, grain, tools, children } = props;
  const { projectId, range, toolPlace, isNew } = useProjectView();
  // Of a project to which nothing was ever sent there are no figures, and nothing to filter.
  const scope = isNew ? undefined : props.scope;
  const [layout, setLayout] = useColumnLayout(projectId, isGrouped ? `${name}.groups` : name, columns);
  const [density, setDensity] = useDensity();
  const handle = useRef<TableHandle>(null);
  const [selection] = useState(createSelectionStore);
  const isOpen = useChildMatches().length > 0;
  const isNarrow = useMediaQuery(NARROW);
  const { view, filter = null, group, spans } = useSearch({ strict: false });
  const attributeTable = hasAttributes && name !== 'sessions' ? name : undefined;
  const [attributes, setAttributes] = useAttributePathsShown(projectId, attributeTable ?? 'spans');
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const isTight = useIsNarrowerThan(TIGHT_PX, place);
  const hasNoFacetRoom = useIsNarrowerThan(NO_FACETS_PX, place);
  const isTooNarrowForOneLine = useIsNarrowerThan(ONE_LINE_PX, place);
  const hasToolLine = isNarrow || isTooNarrowForOneLine;
  const areOver = isNarrow || hasNoFacetRoom;
  const [hasFacets, setHasFacets] = useFacetsChoice(areOver);
  const facetsOpener = useRef<HTMLButtonElement>(null);
  const chosenStrip = isNarrow ? phoneStripChoice : stripChoice;
  const hasStrip = useStored(chosenStrip);
  const navigate = useNavigate();
  const applyFilter = (next: string | null) =>
    void navigate({ to: '.', search: (before) => ({ ...before, filter: next ?? undefined }) });
  const [refusal, setRefusal] = useState<Error | null>(null);
  const rowForm = isNarrow ? 'card' : isTight ? 'pair' : density;
  const list: ListView = {
    name,
    label,
    noun,
    sort,
    filter,
    layout,
    setLayout,
    rowForm,
    handle,
    selection,
    onRefusal: setRefusal,
  };
  const only = !isOpen ? 'primary' : isNarrow || view === 'full' ? 'secondary' : undefined;
  useShortcuts(label, [
    { keys: 'j', label: 'Next row', run: () => handle.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => handle.current?.step(-1) },
    { keys: 'b', label: 'Filters beside the table', run: () => setHasFacets(!hasFacets) },
    ...(only === 'secondary' || isGrouped
      ? []
      : [
          { keys: 'x', label: 'Select the row', run: () => handle.current?.toggleSelected?.(false) },
          { keys: 'Shift+X', label: 'Select up to the row', run: () => handle.current?.toggleSelected?.(true) },
          { keys: 'Shift+J', label: 'Extend the selection down', run: () => handle.current?.extendSelection?.(1) },
          { keys: 'Shift+K', label: 'Extend the selection up', run: () => handle.current?.extendSelection?.(-1) },
        ]),
  ]);
  const facetsButton = (
    <Button
      ref={facetsOpener}
      variant="ghost"
      icon={ListFilter}
      tooltip={hasFacets ? 'Hide filters' : 'Show filters'}
      shortcut="b"
      aria-pressed={hasFacets}
      className={hasFacets ? styles.filtersOpen : undefined}
      onPress={() => setHasFacets(!hasFacets)}
    >
      Filters
    </Button>
  );
  const viewMenu = (
    <ViewMenu
      table={name}
      columns={columns}
      isCompact={hasToolLine}
      state={{
        filter,
        range,
        sort,
        group: isGrouped ? group : undefined,
        spans: name === 'spans' ? spans : undefined,
        density,
        layout,
        attributes: attributeTable && attributes,
      }}
    />
  );
  const fileButtons = scope !== undefined && (
    <>
      {!isGrouped && <CopyAsMenu scope={scope} />}
      <DownloadMenu scope={scope} grouping={isGrouped && grain !== 'session' ? groupingOf(grain, group) : undefined} />
    </>
  );
  const stripButton = (
    <IconButton
      icon={ChartColumn}
      label={hasStrip ? 'Hide the chart' : 'Show the chart'}
      isPressed={hasStrip}
      onPress={() => chosenStrip.set(!hasStrip)}
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
              onRemove={
                attributeTable && ((id) => setAttributes(attributes.filter((path) => attributeColumnId(path) !== id)))
              }
            >
              {attributeTable !== undefined && scope !== undefined && (
                <AddAttribute scope={scope} table={attributeTable} />
              )}
            </ColumnMenu>
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
              {!isNew && (
                <TooltipPlacement value="bottom">
                  <FilterBar
                    projectId={projectId}
                    grain={grain}
                    applied={filter}
                    noun={noun}
                    onApply={applyFilter}
                    refusal={refusal}
                    before={
                      !hasToolLine && (
                        <>
                          {facetsButton}
                          {viewMenu}
                        </>
                      )
                    }
                    after={
                      !hasToolLine && (
                        <>
                          {fileButtons}
                          {stripButton}
                          {isTight && <SortMenu columns={columns} sort={sort} />}
                        </>
                      )
                    }
                    below={
                      hasToolLine && (
                        <div className={styles.toolLine}>
                          {facetsButton}
                          {viewMenu}
                          {isNarrow && tools}
                          <span className={styles.spring} />
                          <SortMenu columns={columns} sort={sort} />
                          {fileButtons}
                          {stripButton}
                        </div>
                      )
                    }
                  />
                </TooltipPlacement>
              )}
              {scope !== undefined && hasStrip && <ListStrip scope={scope} noun={noun} />}
              {scope !== undefined && (!isNarrow || hasStrip) && (
                <ListFigures scope={scope} noun={noun} filter={filter} />
              )}
              <div className={styles.rows}>
                {children}
                <SelectionPlace
                  projectId={projectId}
                  scope={isGrouped ? undefined : scope}
                  isSeen={only !== 'secondary'}
                  onFocusLost={() => handle.current?.focusRow()}
                />
              </div>
            </div>
          </section>
        }
        secondary={isOpen && <Peek list={handle} selection={selection} hasRoomForBoth={!isNarrow} />}
      />
    </ListContext>
  );
}
