import { useNavigate, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { startTransition, useMemo, useRef, useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { dataPage_query$key } from '#ui/__generated__/dataPage_query.graphql.ts';
import type { dataPagePageQuery } from '#ui/__generated__/dataPagePageQuery.graphql.ts';
import type { dataPageQuery } from '#ui/__generated__/dataPageQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import type { DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { SettingsActions } from '../settings-actions.tsx';
import { SettingsTable } from '../settings-table.tsx';
import settingsStyles from '../settings.module.css';
import { TableWithDetails } from '../table-with-details.tsx';
import { useLoadRest } from '../use-load-rest.ts';
import { BackgroundWork } from './background-work.tsx';
import { DeletePolicyDialog } from './delete-policy-dialog.tsx';
import { POLICY_COLUMNS, renderPolicyCard } from './policy-columns.tsx';
import { PolicyDialog } from './policy-dialog.tsx';
import type { EditedPolicy } from './policy-form.ts';
import { type PolicyRow, toPolicyRow } from './policy-rows.ts';
import styles from './data-page.module.css';
import { SpaceUse } from './space-use.tsx';
import { type PolicyAction, type PolicyTools, PolicyToolsContext } from './policy-tools.ts';

const QUERY = graphql`
  query dataPageQuery {
    ...dataPage_query
  }
`;

const PAGE = graphql`
  fragment dataPage_query on Query
  @refetchable(queryName: "dataPagePageQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 500 }, after: { type: "String" }) {
    projectTraceRetentionPolicies(first: $first, after: $after)
      @connection(key: "dataPage_projectTraceRetentionPolicies") {
      edges {
        node {
          id
          name
          cronExpression
          projectCount
          rule {
            __typename
            ... on TraceRetentionRuleMaxDays {
              maxDays
            }
            ... on TraceRetentionRuleMaxCount {
              maxCount
            }
            ... on TraceRetentionRuleMaxDaysOrCount {
              maxDays
              maxCount
            }
          }
        }
      }
    }
  }
`;

/** How long data is kept, and what is being done with it in the background. */
export function DataPage() {
  const [changeCount, setChangeCount] = useState(0);
  const [open, setOpen] = useState<{ readonly action: PolicyAction; readonly policy: EditedPolicy } | 'create'>();
  const table = useRef<DataTableHandle>(null);
  const { policyId: openId } = useParams({ strict: false });
  const navigate = useNavigate();
  const mayChange = useMay('administer');
  const rows = usePolicies(changeCount);
  const tools = useMemo(
    (): PolicyTools => ({
      changeCount,
      ...(mayChange && { start: (action: PolicyAction, policy: EditedPolicy) => setOpen({ action, policy }) }),
    }),
    [mayChange, changeCount],
  );
  const create = () => setOpen('create');
  const dialog = {
    onClose: () => setOpen(undefined),
    onChanged: () => startTransition(() => setChangeCount((count) => count + 1)),
  };
  useShortcuts('Retention policies', [
    ...(mayChange ? [{ keys: 'c', label: 'New policy', run: create }] : []),
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);
  return (
    <PolicyToolsContext value={tools}>
      <SettingsActions>
        {mayChange && (
          <Button variant="primary" icon={Plus} shortcut="c" onPress={create}>
            New policy
          </Button>
        )}
      </SettingsActions>
      <TableWithDetails id="data">
        <section className={settingsStyles.rows} aria-label="Retention policies">
          <div className={settingsStyles.toolbar}>
            <h2>Retention policies</h2>
            <span className={settingsStyles.count}>
              {formatExact(rows.length)} {rows.length === 1 ? 'policy' : 'policies'}
            </span>
          </div>
          <SettingsTable
            ref={table}
            name="policies"
            label="Retention policies"
            columns={POLICY_COLUMNS}
            rows={rows}
            useRow={asItIs}
            renderCard={renderPolicyCard}
            openId={openId}
            onOpen={(id) =>
              void navigate({ to: '/settings/data/$policyId', params: { policyId: id }, replace: openId !== undefined })
            }
          />
          <div className={styles.below}>
            <SpaceUse />
            <BackgroundWork />
          </div>
        </section>
      </TableWithDetails>
      {open === 'create' && <PolicyDialog {...dialog} />}
      {typeof open === 'object' && open.action === 'edit' && <PolicyDialog {...dialog} policy={open.policy} />}
      {typeof open === 'object' && open.action === 'delete' && (
        <DeletePolicyDialog
          policy={open.policy}
          onClose={dialog.onClose}
          onDeleted={() => {
            if (openId === open.policy.id) void navigate({ to: '/settings/data' });
            dialog.onChanged();
          }}
        />
      )}
    </PolicyToolsContext>
  );
}

function usePolicies(changeCount: number): readonly PolicyRow[] {
  const query = useQuery<dataPageQuery>(QUERY, {}, { version: changeCount, fetchPolicy: 'store-and-network' });
  const pages = usePaginationFragment<dataPagePageQuery, dataPage_query$key>(PAGE, query);
  useLoadRest(pages);
  const { edges } = pages.data.projectTraceRetentionPolicies;
  return useMemo(() => edges.map(({ node }) => toPolicyRow(node)), [edges]);
}

function asItIs(row: PolicyRow): PolicyRow {
  return row;
}
