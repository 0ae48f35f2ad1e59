import type { auditPageRow_event$data } from '#ui/__generated__/auditPageRow_event.graphql.ts';
import { Badge } from '#ui/components/badge.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from '../settings.module.css';
import { nameAction, nameCallerKind, nameChange, nameObjectType, nameSystemCaller } from './audit-names.ts';

type Event = auditPageRow_event$data;

/** The columns of the audit log. */
export const AUDIT_COLUMNS: readonly TableColumn<Event>[] = [
  { id: 'time', header: 'Time', size: 124, render: ({ occurredAt }) => <Timestamp value={occurredAt} style="time" /> },
  { id: 'who', header: 'Who', size: 150, grows: true, render: (event) => <Caller event={event} /> },
  {
    id: 'action',
    header: 'Action',
    size: 150,
    canHide: false,
    grows: true,
    render: (event) => <Action event={event} />,
  },
  { id: 'object', header: 'Object', size: 170, grows: true, render: (event) => <AuditObject event={event} /> },
  {
    id: 'changes',
    header: 'Changed',
    size: 100,
    grows: true,
    render: ({ changes }) => (
      <span className={styles.muted}>{changes.length === 0 ? '–' : changes.map(nameChange).join(', ')}</span>
    ),
  },
  { id: 'outcome', header: 'Outcome', size: 130, render: (event) => <Outcome event={event} /> },
  {
    id: 'address',
    header: 'Address',
    size: 116,
    render: ({ address }) => <span className={styles.mono}>{address ?? '–'}</span>,
  },
];

/** An event where there is no room for columns. */
export function renderAuditCard(event: Event) {
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <Action event={event} />
        <span className={styles.spring} />
        <span className={styles.faint}>
          <Timestamp value={event.occurredAt} />
        </span>
      </div>
      <p className={styles.muted}>
        <AuditObject event={event} />
      </p>
      <div className={styles.cardFacts}>
        <Caller event={event} />
        <Outcome event={event} />
      </div>
    </div>
  );
}

function Caller({ event: { callerKind, callerName, keyName } }: { readonly event: Event }) {
  if (callerName == null) return <span className={styles.muted}>{nameCallerKind(callerKind)}</span>;
  if (callerKind === 'system') return <span title={callerName}>{nameSystemCaller(callerName)}</span>;
  const byKey = keyName == null ? '' : `, by key ${revealHidden(keyName)}`;
  return (
    <span className={styles.ellipsis} title={`${nameCallerKind(callerKind)} ${revealHidden(callerName)}${byKey}`}>
      {callerKind !== 'user' && <span className={styles.faint}>{nameCallerKind(callerKind)} </span>}
      <span className={callerKind === 'user' ? styles.strong : undefined}>
        <Name>{callerName}</Name>
      </span>
      {keyName != null && (
        <span className={styles.faint}>
          , by key <Name>{keyName}</Name>
        </span>
      )}
    </span>
  );
}

function Action({ event: { operation } }: { readonly event: Event }) {
  return (
    <span className={styles.ellipsis} title={operation}>
      {nameAction(operation)}
    </span>
  );
}

/** What it was done to. */
function AuditObject({ event }: { readonly event: Pick<Event, 'objectType' | 'objectName'> }) {
  const { objectType, objectName } = event;
  if (objectType == null) return <span className={styles.faint}>–</span>;
  return (
    <span className={styles.ellipsis} title={objectName == null ? undefined : revealHidden(objectName)}>
      <span className={styles.faint}>{nameObjectType(objectType)}</span>{' '}
      {objectName != null && <Name>{objectName}</Name>}
    </span>
  );
}

/** Whether it was done, and how often it was not. */
export function Outcome({ event: { outcome, count } }: { readonly event: Pick<Event, 'outcome' | 'count'> }) {
  if (outcome === 'DONE') return <span className={styles.muted}>Done</span>;
  return <Badge tone="danger">{count > 1 ? `Refused ${formatExact(count)} times` : 'Refused'}</Badge>;
}
