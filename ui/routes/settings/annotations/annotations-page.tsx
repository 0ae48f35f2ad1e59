import { Plus, Tags } from 'lucide-react';
import { startTransition, useDeferredValue, useMemo, useRef, useState } from 'react';
import { graphql } from 'react-relay';
import type { annotationsPageQuery } from '#ui/__generated__/annotationsPageQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import type { DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { describeConfig, toShownConfig } from '../../annotation-configs/shown-config.ts';
import { SettingsActions } from '../settings-actions.tsx';
import { SettingsTable } from '../settings-table.tsx';
import settingsStyles from '../settings.module.css';
import { CONFIG_COLUMNS, renderConfigCard } from './config-columns.tsx';
import { ConfigDialog } from './config-dialog.tsx';
import { type ConfigAction, type ConfigRow, type ConfigTools, ConfigToolsContext } from './config-tools.ts';
import { DeleteConfigDialog } from './delete-config-dialog.tsx';

/** What annotations may say: the configs that projects can offer. */
export function AnnotationsPage() {
  const [changeCount, setChangeCount] = useState(0);
  const [text, setText] = useState('');
  const [open, setOpen] = useState<{ readonly action: ConfigAction; readonly config: ConfigRow } | 'create'>();
  const table = useRef<DataTableHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const mayChange = useMay('write');
  const all = useConfigs(changeCount);
  const search = useDeferredValue(text);
  const rows = useMemo(() => searchConfigs(all, search), [all, search]);
  const tools = useMemo(
    (): ConfigTools => (mayChange ? { start: (action, config) => setOpen({ action, config }) } : {}),
    [mayChange],
  );
  const create = () => setOpen('create');
  const onClose = () => setOpen(undefined);
  const onChanged = () => startTransition(() => setChangeCount((count) => count + 1));
  useShortcuts('Annotation configs', [
    ...(mayChange ? [{ keys: 'c', label: 'New annotation config', run: create }] : []),
    { keys: '/', label: 'Search annotation configs', run: () => field.current?.focus() },
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);
  return (
    <ConfigToolsContext value={tools}>
      <SettingsActions>
        {mayChange && (
          <Button variant="primary" icon={Plus} shortcut="c" onPress={create}>
            New config
          </Button>
        )}
      </SettingsActions>
      <section className={settingsStyles.rows} aria-label="Annotation configs">
        <div className={settingsStyles.toolbar}>
          <SearchField
            label="Search annotation configs by name, description or value"
            inputRef={field}
            shortcut="/"
            placeholder="Search configs"
            value={text}
            onChange={setText}
            className={settingsStyles.search}
          />
          <span className={settingsStyles.count}>
            {formatExact(rows.length)} {nounOf(rows.length, 'configs')}
          </span>
        </div>
        <SettingsTable
          ref={table}
          name="annotation-configs"
          label="Annotation configs"
          columns={CONFIG_COLUMNS}
          rows={rows}
          useRow={asItIs}
          renderCard={renderConfigCard}
          onOpen={(id) => {
            const config = all.find((one) => one.id === id);
            if (mayChange && config !== undefined) setOpen({ action: 'edit', config });
          }}
        >
          {rows.length > 0 ? undefined : <NoRows isSearch={search.trim() !== ''} onClear={() => setText('')} />}
        </SettingsTable>
      </section>
      {open === 'create' && <ConfigDialog onClose={onClose} onChanged={onChanged} />}
      {typeof open === 'object' && open.action === 'edit' && (
        <ConfigDialog config={open.config} onClose={onClose} onChanged={onChanged} />
      )}
      {typeof open === 'object' && open.action === 'delete' && (
        <DeleteConfigDialog config={open.config} onClose={onClose} onDeleted={onChanged} />
      )}
    </ConfigToolsContext>
  );
}

function NoRows({ isSearch, onClear }: { readonly isSearch: boolean; readonly onClear: () => void }) {
  if (isSearch)
    return (
      <EmptyState icon={Tags} title="No config matches" action={<Button onPress={onClear}>Clear the search</Button>} />
    );
  return (
    <EmptyState icon={Tags} title="No annotation configs yet">
      A config says what annotations of a name may say: one of several labels, a number, or a text.
    </EmptyState>
  );
}

/** All configs are read: the search looks through what is there. A server has no more than one page of them. */
function useConfigs(changeCount: number): readonly ConfigRow[] {
  const { annotationConfigs } = useQuery<annotationsPageQuery>(
    graphql`
      query annotationsPageQuery {
        annotationConfigs(first: 1000) {
          edges {
            node {
              ... on Node {
                id
              }
              ... on AnnotationConfigBase {
                name
                description
                annotationType
                isStrict
                projectCount
              }
              ... on CategoricalAnnotationConfig {
                optimizationDirection
                values {
                  label
                  score
                }
              }
              ... on ContinuousAnnotationConfig {
                optimizationDirection
                lowerBound
                upperBound
              }
              ... on FreeformAnnotationConfig {
                optimizationDirection
                threshold
                lowerBound
                upperBound
              }
            }
          }
        }
      }
    `,
    {},
    { version: changeCount, fetchPolicy: 'store-and-network' },
  );
  return useMemo(
    () =>
      annotationConfigs.edges.flatMap(({ node }) => {
        const config = toShownConfig(node);
        return config === undefined ? [] : [{ ...config, projectCount: node.projectCount ?? 0 }];
      }),
    [annotationConfigs],
  );
}

function searchConfigs(rows: readonly ConfigRow[], text: string): readonly ConfigRow[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const said = `${row.name}\n${row.description ?? ''}\n${describeConfig(row)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

function asItIs(row: ConfigRow): ConfigRow {
  return row;
}
