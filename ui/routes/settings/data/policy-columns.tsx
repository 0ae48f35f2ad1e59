import { Ellipsis, PenLine, Trash2 } from 'lucide-react';
import { Badge } from '#ui/components/badge.tsx';
import { IconButton } from '#ui/components/button.tsx';
import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { describeRule } from '../../retention/retention-rule.ts';
import { describeSchedule } from '../../retention/schedule-text.ts';
import settingsStyles from '../settings.module.css';
import type { EditedPolicy } from './policy-form.ts';
import type { PolicyRow } from './policy-rows.ts';
import { usePolicyTools } from './policy-tools.ts';

/** The columns of the table of policies. */
export const POLICY_COLUMNS: readonly TableColumn<PolicyRow>[] = [
  { id: 'name', header: 'Policy', size: 220, grows: true, canHide: false, render: (row) => <PolicyName row={row} /> },
  { id: 'rule', header: 'Keeps', size: 200, grows: true, render: ({ rule }) => describeRule(rule) },
  {
    id: 'schedule',
    header: 'Schedule',
    size: 240,
    grows: true,
    render: ({ cron }) => (
      <span className={settingsStyles.muted} title={cron}>
        {describeSchedule(cron)}
      </span>
    ),
  },
  {
    id: 'projects',
    header: 'Projects',
    size: 90,
    align: 'end',
    render: ({ projectCount }) => <Count value={projectCount} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    size: 72,
    align: 'end',
    canHide: false,
    render: (row) => <PolicyMenu policy={row} />,
  },
];

/** A policy where there is no room for columns. */
export function renderPolicyCard(row: PolicyRow) {
  return (
    <div className={settingsStyles.card}>
      <div className={settingsStyles.cardHead}>
        <PolicyName row={row} />
        <span className={settingsStyles.spring} />
        <PolicyMenu policy={row} />
      </div>
      <p className={settingsStyles.cardFacts}>
        <span>{describeRule(row.rule)}</span>
        <span>
          {formatExact(row.projectCount)} {nounOf(row.projectCount, 'projects')}
        </span>
      </p>
      <p className={settingsStyles.cardFacts}>{describeSchedule(row.cron)}</p>
    </div>
  );
}

/** What can be done with a policy; nothing for those who may change none. */
export function PolicyMenu({ policy }: { readonly policy: EditedPolicy }) {
  const { start } = usePolicyTools();
  if (start === undefined) return null;
  return (
    <MenuTrigger>
      <IconButton icon={Ellipsis} size="sm" label={`Actions for ${revealHidden(policy.name)}`} />
      <Menu label="Policy" placement="bottom end">
        <MenuItem icon={PenLine} onAction={() => start('edit', policy)}>
          Edit…
        </MenuItem>
        <MenuItem icon={Trash2} onAction={() => start('delete', policy)} isDisabled={policy.isDefault}>
          {policy.isDefault ? 'The default policy cannot be deleted' : 'Delete…'}
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}

function PolicyName({ row }: { readonly row: PolicyRow }) {
  return (
    <>
      <span className={settingsStyles.strong} title={revealHidden(row.name)}>
        <Name>{row.name}</Name>
      </span>
      {row.isDefault && (
        <>
          {' '}
          <Badge>For all others</Badge>
        </>
      )}
    </>
  );
}
