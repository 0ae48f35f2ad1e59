import { UserRound, X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { graphql } from 'react-relay';
import type { auditFiltersNamesQuery } from '#ui/__generated__/auditFiltersNamesQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import fieldStyles from '#ui/components/field.module.css';
import { Name } from '#ui/components/name.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Select } from '#ui/components/select.tsx';
import { writeTimeRange } from '#ui/lib/time-range.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { may } from '#ui/lib/viewer.ts';
import { TimeRangePicker } from '../../project/time-range-picker.tsx';
import settingsStyles from '../settings.module.css';
import { AUDIT_ACTIONS, nameAction } from './audit-names.ts';
import styles from './audit-page.module.css';
import { type AuditSearch, rangeOf } from './audit-search.ts';

/** See {@link AuditFilters}. */
export interface AuditFiltersProps {
  readonly search: AuditSearch;
  /** Parts of the address that change. */
  readonly onChange: (change: AuditSearch) => void;
}

const ANY = 'any';

/** Chooses which events are listed. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { user, userName, action, outcome, object, objectName } = search;
  const actions = Object.keys(AUDIT_ACTIONS);
  const listed = action === undefined || actions.includes(action) ? actions : [action, ...actions];
  return (
    <>
      <WhoField by={search.by} onChange={(by) => onChange({ by })} />
      <Select
        label="Action"
        isLabelHidden
        className={styles.action}
        items={[{ id: ANY, label: 'Any action' }, ...listed.map((id) => ({ id, label: nameAction(id) }))]}
        selectedKey={action ?? ANY}
        onSelectionChange={(id) => onChange({ action: id === ANY ? undefined : id })}
      />
      <SegmentedControl
        label="Outcome"
        items={[
          { id: ANY, label: 'All' },
          { id: 'done', label: 'Done' },
          { id: 'refused', label: 'Refused' },
        ]}
        selectedKey={outcome ?? ANY}
        onSelectionChange={(id) => onChange({ outcome: id === ANY ? undefined : id })}
      />
      <TimeRangePicker
        range={rangeOf(search)}
        onChange={(range) => onChange(writeTimeRange(range))}
        scope="Audit log"
      />
      {user !== undefined && (
        <Chip
          label="By"
          name={userName ?? user}
          removal="Events by everybody"
          onRemove={() => onChange({ user: undefined, userName: undefined })}
        />
      )}
      {object !== undefined && (
        <Chip
          label="Object"
          name={objectName ?? object}
          removal="Events of all objects"
          onRemove={() => onChange({ object: undefined, objectName: undefined })}
        />
      )}
    </>
  );
}

interface ChipProps {
  readonly label: string;
  readonly name: string;
  /** What it is to remove it. */
  readonly removal: string;
  readonly onRemove: () => void;
}

/** What a link chose, which has no field. */
function Chip({ label, name, removal, onRemove }: ChipProps) {
  return (
    <span className={styles.chip}>
      <span className={settingsStyles.ellipsis}>
        {label}: <Name>{name}</Name>
      </span>
      <Button variant="ghost" size="sm" icon={X} aria-label={removal} onPress={onRemove} />
    </span>
  );
}

interface WhoFieldProps {
  readonly by: string | undefined;
  readonly onChange: (by: string | undefined) => void;
}

const NAMES = graphql`
  query auditFiltersNamesQuery {
    users(first: 1000) {
      edges {
        node {
          username
        }
      }
    }
  }
`;

/** The whole name of who did it: those of users are offered, others can be typed, as of keys and of deleted users. */
function WhoField({ by = '', onChange }: WhoFieldProps) {
  const listId = useId();
  const [typed, setTyped] = useState({ text: by, by });
  const [isUsed, setIsUsed] = useState(false);
  const { data } = useAnswer<auditFiltersNamesQuery>(NAMES, isUsed && may('manageAccounts') ? {} : null, 0);
  const names = data?.users.edges.map(({ node }) => node.username) ?? [];
  // The address was changed elsewhere.
  if (typed.by !== by) setTyped({ text: by, by });
  function apply(text: string): void {
    const name = text.trim();
    if (name !== by) onChange(name === '' ? undefined : name);
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    apply(typed.text);
  }
  return (
    <form onSubmit={submit} className={styles.who}>
      <span className={fieldStyles.box}>
        <UserRound size={14} aria-hidden />
        <input
          type="search"
          className={fieldStyles.input}
          aria-label="Who: whole name of a user or key"
          placeholder="Who"
          autoComplete="off"
          list={listId}
          value={typed.text}
          onFocus={() => setIsUsed(true)}
          onChange={({ target: { value: text } }) => {
            setTyped({ text, by });
            // One of the list was chosen, or the field was emptied.
            if (text === '' || names.includes(text)) apply(text);
          }}
          onBlur={() => apply(typed.text)}
        />
      </span>
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </form>
  );
}
