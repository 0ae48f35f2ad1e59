import { useNavigate, useParams } from '@tanstack/react-router';
import { Coins, Plus } from 'lucide-react';
import { startTransition, useDeferredValue, useMemo, useRef, useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { modelsPage_query$key } from '#ui/__generated__/modelsPage_query.graphql.ts';
import type { modelsPagePageQuery } from '#ui/__generated__/modelsPagePageQuery.graphql.ts';
import type { modelsPageQuery } from '#ui/__generated__/modelsPageQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import type { DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { SettingsActions } from '../settings-actions.tsx';
import { SettingsTable } from '../settings-table.tsx';
import settingsStyles from '../settings.module.css';
import { TableWithDetails } from '../table-with-details.tsx';
import { useLoadRest } from '../use-load-rest.ts';
import { DeletePriceDialog } from './delete-price-dialog.tsx';
import { LastUsesContext, useLastUses } from './last-uses.ts';
import { MODEL_COLUMNS, renderModelCard } from './model-columns.tsx';
import { type KindFilter, type ModelRow, searchModels, toModelRow } from './model-rows.ts';
import { type ActedPrice, type ModelAction, type ModelTools, ModelToolsContext } from './model-tools.ts';
import { PriceDialog } from './price-dialog.tsx';
import { TestName } from './test-name.tsx';

const QUERY = graphql`
  query modelsPageQuery {
    ...modelsPage_query
  }
`;

/** All prices are read: the search looks through what is there. */
const PAGE = graphql`
  fragment modelsPage_query on Query
  @refetchable(queryName: "modelsPagePageQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 500 }, after: { type: "String" }) {
    generativeModels(first: $first, after: $after) @connection(key: "modelsPage_generativeModels") {
      edges {
        node {
          id
          name
          provider
          namePattern
          kind
          startTime
          updatedAt
          tokenPrices {
            kind
            tokenType
            costPerMillionTokens
          }
          longPromptPrices {
            abovePromptTokens
            tokenPrices {
              kind
              tokenType
              costPerMillionTokens
            }
          }
        }
      }
    }
  }
`;

/** What models cost: prices of people's own, which come first, and those that come with the product. */
export function ModelsPage() {
  const [changeCount, setChangeCount] = useState(0);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<KindFilter>('all');
  const [open, setOpen] = useState<{ readonly action: ModelAction | 'add'; readonly price?: ActedPrice }>();
  const table = useRef<DataTableHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const { modelId: openId } = useParams({ strict: false });
  const navigate = useNavigate();
  const mayChange = useMay('write');
  const { models: all, isComplete } = useModels(changeCount);
  const lastUses = useLastUses(changeCount);
  const search = useDeferredValue(text);
  const rows = useMemo(() => searchModels(all, search, kind, lastUses), [all, search, kind, lastUses]);
  const tools = useMemo(
    (): ModelTools => (mayChange ? { start: (action, price) => setOpen({ action, price }) } : {}),
    [mayChange],
  );
  const add = () => setOpen({ action: 'add' });
  const dialog = {
    onClose: () => setOpen(undefined),
    onChanged: () => startTransition(() => setChangeCount((count) => count + 1)),
  };
  useShortcuts('Models', [
    ...(mayChange ? [{ keys: 'c', label: 'Add a model', run: add }] : []),
    { keys: '/', label: 'Search models', run: () => field.current?.focus() },
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);
  return (
    <ModelToolsContext value={tools}>
      <SettingsActions>
        <TestName changeCount={changeCount} />
        {mayChange && (
          <Button variant="primary" icon={Plus} shortcut="c" onPress={add}>
            Add model
          </Button>
        )}
      </SettingsActions>
      <TableWithDetails id="models">
        <section className={settingsStyles.rows} aria-label="Models">
          <div className={settingsStyles.toolbar}>
            <SearchField
              label="Search models by name, provider or pattern"
              inputRef={field}
              shortcut="/"
              placeholder="Search models"
              value={text}
              onChange={setText}
              className={settingsStyles.search}
            />
            <SegmentedControl<KindFilter>
              label="Kind"
              items={[
                { id: 'all', label: 'All' },
                { id: 'used', label: 'Used' },
                { id: 'CUSTOM', label: 'Custom' },
                { id: 'BUILT_IN', label: 'Built-in' },
              ]}
              selectedKey={kind}
              onSelectionChange={setKind}
            />
            <span className={settingsStyles.count}>
              {formatExact(rows.length)} {nounOf(rows.length, 'models')}
              {!isComplete && ' so far'}
            </span>
            <span className={settingsStyles.spring} />
            <span className={settingsStyles.hint}>US dollars per million tokens</span>
          </div>
          <LastUsesContext value={lastUses}>
            <SettingsTable
              ref={table}
              name="models"
              label="Models"
              columns={MODEL_COLUMNS}
              rows={rows}
              useRow={asItIs}
              renderCard={renderModelCard}
              openId={openId}
              onOpen={(id) =>
                void navigate({
                  to: '/settings/models/$modelId',
                  params: { modelId: id },
                  replace: openId !== undefined,
                })
              }
            >
              {rows.length > 0 ? undefined : (
                <NoRows kind={kind} isSearch={search.trim() !== ''} onClear={() => setText('')} />
              )}
            </SettingsTable>
          </LastUsesContext>
        </section>
      </TableWithDetails>
      {open?.action === 'add' && <PriceDialog {...dialog} />}
      {open?.action === 'clone' && <PriceDialog {...dialog} template={open.price} />}
      {open?.action === 'edit' && <PriceDialog {...dialog} edited={open.price} />}
      {open?.action === 'delete' && open.price !== undefined && (
        <DeletePriceDialog
          price={open.price}
          onClose={dialog.onClose}
          onDeleted={() => {
            if (openId === open.price?.id) void navigate({ to: '/settings/models' });
            dialog.onChanged();
          }}
        />
      )}
    </ModelToolsContext>
  );
}

interface NoRowsProps {
  readonly kind: KindFilter;
  readonly isSearch: boolean;
  readonly onClear: () => void;
}

function NoRows({ kind, isSearch, onClear }: NoRowsProps) {
  if (isSearch)
    return (
      <EmptyState icon={Coins} title="No model matches" action={<Button onPress={onClear}>Clear the search</Button>}>
        The search looks in name, provider and pattern.
      </EmptyState>
    );
  if (kind === 'used')
    return (
      <EmptyState icon={Coins} title="No model with a price was called yet">
        A model is listed here once a span of a model call names it.
      </EmptyState>
    );
  return (
    <EmptyState icon={Coins} title={kind === 'CUSTOM' ? 'No custom models yet' : 'No models'}>
      Built-in prices hold for all models. A custom price comes before them.
    </EmptyState>
  );
}

/** Those that have been loaded, and whether they are all. */
function useModels(changeCount: number): { readonly models: readonly ModelRow[]; readonly isComplete: boolean } {
  const query = useQuery<modelsPageQuery>(QUERY, {}, { version: changeCount, fetchPolicy: 'store-and-network' });
  const pages = usePaginationFragment<modelsPagePageQuery, modelsPage_query$key>(PAGE, query);
  useLoadRest(pages);
  const { edges } = pages.data.generativeModels;
  const models = useMemo(() => edges.map(({ node }) => toModelRow(node)), [edges]);
  return { models, isComplete: !pages.hasNext };
}

function asItIs(row: ModelRow): ModelRow {
  return row;
}
