import { Ellipsis, PenLine, Plus, RectangleEllipsis, Trash2 } from 'lucide-react';
import { startTransition, useDeferredValue, useMemo, useRef, useState } from 'react';
import { graphql, useFragment, usePaginationFragment } from 'react-relay';
import type { secretsPage_query$key } from '#ui/__generated__/secretsPage_query.graphql.ts';
import type { secretsPagePageQuery } from '#ui/__generated__/secretsPagePageQuery.graphql.ts';
import type { secretsPageQuery } from '#ui/__generated__/secretsPageQuery.graphql.ts';
import type {
  secretsPageRow_secret$data,
  secretsPageRow_secret$key,
} from '#ui/__generated__/secretsPageRow_secret.graphql.ts';
import { Button, IconButton } from '#ui/components/button.tsx';
import type { DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { SettingsActions } from '../settings-actions.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLoadRest } from '../use-load-rest.ts';
import styles from '../settings.module.css';
import { DeleteSecretDialog } from './delete-secret-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { SecretToolsContext, useSecretTools } from './secret-tools.ts';

const QUERY = graphql`
  query secretsPageQuery {
    ...secretsPage_query
  }
`;

/** All keys are read: the search looks through what is there. Values are never asked for. */
const PAGE = graphql`
  fragment secretsPage_query on Query
  @refetchable(queryName: "secretsPagePageQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 500 }, after: { type: "String" }) {
    secrets(first: $first, after: $after) @connection(key: "secretsPage_secrets") {
      edges {
        node {
          id
          key
          ...secretsPageRow_secret
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment secretsPageRow_secret on Secret {
    key
    updatedAt
    user {
      username
    }
  }
`;

type Secret = secretsPageRow_secret$data;

const COLUMNS: readonly TableColumn<Secret>[] = [
  {
    id: 'key',
    header: 'Key',
    size: 260,
    grows: true,
    canHide: false,
    render: ({ key }) => (
      <span className={styles.mono} title={key}>
        {key}
      </span>
    ),
  },
  { id: 'updated', header: 'Updated', size: 140, render: ({ updatedAt }) => <Timestamp value={updatedAt} /> },
  { id: 'user', header: 'By', size: 180, grows: true, render: (secret) => <UpdatedBy secret={secret} /> },
  {
    id: 'actions',
    header: 'Actions',
    size: 72,
    align: 'end',
    canHide: false,
    render: ({ key }) => <SecretMenu secretKey={key} />,
  },
];

/** The keys of the stored secrets. */
export function SecretsPage() {
  const [changeCount, setChangeCount] = useState(0);
  const [text, setText] = useState('');
  const [open, setOpen] = useState<{ readonly action: 'add' | 'replace' | 'delete'; readonly key: string }>();
  const table = useRef<DataTableHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const all = useSecrets(changeCount);
  const search = useDeferredValue(text.trim().toLowerCase());
  const secrets = all.filter(({ key }) => key.toLowerCase().includes(search));
  const tools = useMemo(() => ({ start: (action: 'replace' | 'delete', key: string) => setOpen({ action, key }) }), []);
  const add = () => setOpen({ action: 'add', key: '' });
  const dialog = {
    onClose: () => setOpen(undefined),
    onChanged: () => startTransition(() => setChangeCount((count) => count + 1)),
  };
  useShortcuts('Secrets', [
    { keys: 'c', label: 'Add a secret', run: add },
    { keys: '/', label: 'Search keys', run: () => field.current?.focus() },
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);
  return (
    <SecretToolsContext value={tools}>
      <SettingsActions>
        <Button variant="primary" icon={Plus} shortcut="c" onPress={add}>
          Add secret
        </Button>
      </SettingsActions>
      <section className={styles.rows} aria-label="Secrets">
        <div className={styles.toolbar}>
          <SearchField
            label="Search secrets by key"
            inputRef={field}
            shortcut="/"
            placeholder="Search keys"
            value={text}
            onChange={setText}
            className={styles.search}
          />
          <span className={styles.count}>
            {formatExact(secrets.length)} {nounOf(secrets.length, 'secrets')}
          </span>
          <span className={styles.spring} />
          <span className={styles.hint}>Values are encrypted and never shown.</span>
        </div>
        <SettingsTable
          ref={table}
          name="secrets"
          label="Secrets"
          columns={COLUMNS}
          rows={secrets}
          useRow={useSecretRow}
          renderCard={renderCard}
          onOpen={(id) => {
            const key = secrets.find((secret) => secret.id === id)?.key;
            if (key !== undefined) tools.start('replace', key);
          }}
        >
          {secrets.length > 0 ? undefined : search === '' ? (
            <EmptyState
              icon={RectangleEllipsis}
              title="No secrets yet"
              action={
                <Button icon={Plus} onPress={add}>
                  Add secret
                </Button>
              }
            >
              A secret is a value that the server uses on your behalf, such as the API key of a model provider. The
              server encrypts it and shows it to nobody.
            </EmptyState>
          ) : (
            <EmptyState
              icon={RectangleEllipsis}
              title={`No key contains “${text.trim()}”`}
              action={<Button onPress={() => setText('')}>Clear the search</Button>}
            />
          )}
        </SettingsTable>
      </section>
      {open?.action === 'add' && <SecretDialog {...dialog} takenKeys={all.map(({ key }) => key)} />}
      {open?.action === 'replace' && <SecretDialog {...dialog} replacedKey={open.key} />}
      {open?.action === 'delete' && <DeleteSecretDialog {...dialog} secretKey={open.key} />}
    </SecretToolsContext>
  );
}

function useSecrets(changeCount: number) {
  const query = useQuery<secretsPageQuery>(QUERY, {}, { version: changeCount, fetchPolicy: 'store-and-network' });
  const pages = usePaginationFragment<secretsPagePageQuery, secretsPage_query$key>(PAGE, query);
  useLoadRest(pages);
  const { edges } = pages.data.secrets;
  return useMemo(() => edges.map(({ node }) => node), [edges]);
}

function useSecretRow(ref: secretsPageRow_secret$key) {
  return useFragment(ROW, ref);
}

function renderCard(secret: Secret) {
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.mono}>{secret.key}</span>
        <span className={styles.spring} />
        <SecretMenu secretKey={secret.key} />
      </div>
      <p className={styles.cardFacts}>
        <Timestamp value={secret.updatedAt} />
        <UpdatedBy secret={secret} />
      </p>
    </div>
  );
}

function UpdatedBy({ secret: { user } }: { readonly secret: Secret }) {
  if (user == null) return <span className={styles.faint}>–</span>;
  return (
    <span className={styles.muted}>
      <Name>{user.username}</Name>
    </span>
  );
}

function SecretMenu({ secretKey }: { readonly secretKey: string }) {
  const { start } = useSecretTools();
  return (
    <MenuTrigger>
      <IconButton icon={Ellipsis} size="sm" label={`Actions for ${secretKey}`} />
      <Menu label="Secret" placement="bottom end">
        <MenuItem icon={PenLine} onAction={() => start('replace', secretKey)}>
          Replace value…
        </MenuItem>
        <MenuItem icon={Trash2} onAction={() => start('delete', secretKey)}>
          Delete secret…
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}
