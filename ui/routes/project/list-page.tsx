import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react';
import { Outlet, useChildMatches, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, type RefObject, Suspense, useMemo, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from '#ui/components/button.tsx';
import { ColumnMenu } from '#ui/components/data-table/column-menu.tsx';
import type { Sort, TableColumn } from '#ui/components/data-table/table-column.ts';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { ListContext, type ListHandle, type ListView } from './list-context.ts';
import { PeekContext, type PeekControls } from './peek-context.ts';
import styles from './project.module.css';
import { type ProjectTab, useProjectView } from './project-view.ts';
import { useColumnLayout, useDensity } from './use-column-layout.ts';

interface ListPageProps<Row> {
  readonly name: ProjectTab;
  readonly label: string;
  readonly noun: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly sort: Sort;
  /** Stand at the end of the line above the table. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** A table of a project, with what is open beside it. */
export function ListPage<Row>({ name, label, noun, columns, sort, tools, children }: ListPageProps<Row>) {
  const { projectId, toolPlace } = useProjectView();
  const [layout, setLayout] = useColumnLayout(projectId, name, columns);
  const [density, setDensity] = useDensity();
  const handle = useRef<ListHandle>(null);
  const isOpen = useChildMatches().length > 0;
  const isNarrow = useMediaQuery(NARROW);
  const { view } = useSearch({ strict: false });
  const list: ListView = { name, label, noun, sort, layout, setLayout, density, handle };
  useShortcuts(label, [
    { keys: 'j', label: 'Next row', run: () => handle.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => handle.current?.step(-1) },
  ]);
  const only = !isOpen ? 'primary' : isNarrow || view === 'full' ? 'secondary' : undefined;
  return (
    <ListContext value={list}>
      {toolPlace !== null &&
        only !== 'secondary' &&
        createPortal(
          <>
            {tools}
            {!isNarrow && (
              <ColumnMenu
                columns={columns}
                layout={layout}
                onLayoutChange={setLayout}
                density={density}
                onDensityChange={setDensity}
              />
            )}
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
          <section className={styles.list} aria-label={label}>
            {children}
          </section>
        }
        secondary={isOpen && <Peek list={handle} hasRoomForBoth={!isNarrow} />}
      />
    </ListContext>
  );
}

interface PeekProps {
  readonly list: RefObject<ListHandle | null>;
  readonly hasRoomForBoth: boolean;
}

function Peek({ list, hasRoomForBoth }: PeekProps) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { view } = useSearch({ strict: false });
  const isFull = view === 'full' || !hasRoomForBoth;
  const controls = useMemo((): PeekControls => {
    const close = () => {
      list.current?.focusRow();
      void navigate({ to: '..', search: ({ range, start, end, sort, spans }) => ({ range, start, end, sort, spans }) });
    };
    const expand = () =>
      void navigate({ to: '.', search: (before) => ({ ...before, view: isFull ? undefined : 'full' }), replace: true });
    return { close, expand: hasRoomForBoth ? expand : undefined, isFull };
  }, [list, navigate, isFull, hasRoomForBoth]);
  useShortcuts('Panel', [
    { keys: 'Escape', label: 'Close the panel', run: controls.close },
    ...(controls.expand === undefined
      ? []
      : [{ keys: 'x', label: isFull ? 'Dock the panel' : 'Expand the panel', run: controls.expand }]),
  ]);
  return (
    <PeekContext value={controls}>
      <div className={styles.peek}>
        {isFull && (
          <div className={styles.peekBar}>
            <Button variant="ghost" size="sm" icon={ArrowLeft} onPress={controls.close}>
              Back to the list
            </Button>
            <span className={styles.spring} />
            <IconButton
              icon={ChevronUp}
              label="Previous"
              shortcut="k"
              size="sm"
              onPress={() => list.current?.step(-1)}
            />
            <IconButton icon={ChevronDown} label="Next" shortcut="j" size="sm" onPress={() => list.current?.step(1)} />
          </div>
        )}
        <ErrorBoundary fallbackTitle="The panel could not be shown" resetKey={pathname}>
          <Suspense>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </div>
    </PeekContext>
  );
}
