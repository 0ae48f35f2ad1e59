import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '#ui/components/badge.tsx';
import { IconButton } from '#ui/components/button.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useNow } from '#ui/lib/now.ts';
import type { ShownKey } from './api-key.ts';
import { expiryState } from './expiry.ts';
import styles from './key-table.module.css';

/** See {@link KeyTable}. */
export interface KeyTableProps {
  readonly label: string;
  readonly keys: readonly ShownKey[];
  /** Heading of the column of people: `Owner`; unless given there is none. */
  readonly personHeader: string | undefined;
  readonly onDelete: (key: ShownKey) => void;
}

/** Keys, the newest first; cards where a table has no room. */
export function KeyTable({ label, keys, personHeader, onDelete }: KeyTableProps) {
  const isNarrow = useMediaQuery(NARROW);
  if (isNarrow) return <KeyCards label={label} keys={keys} personHeader={personHeader} onDelete={onDelete} />;
  return (
    <div className={styles.place}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {personHeader !== undefined && <th scope="col">{personHeader}</th>}
            <th scope="col">Created</th>
            <th scope="col">Expires</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <KeyName shown={key} />
              </th>
              {personHeader !== undefined && (
                <td>
                  <Person shown={key} />
                </td>
              )}
              <td>
                <Timestamp value={key.createdAt} />
              </td>
              <td>
                <Expiry at={key.expiresAt} />
              </td>
              <td>
                <LastUse at={key.lastUsedAt} />
              </td>
              <td className={styles.actions}>
                <DeleteButton shown={key} onDelete={onDelete} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyCards({ label, keys, personHeader, onDelete }: KeyTableProps) {
  return (
    <ul className={styles.cards} aria-label={label}>
      {keys.map((key) => (
        <li key={key.id} className={styles.card}>
          <div className={styles.cardTop}>
            <KeyName shown={key} />
            <DeleteButton shown={key} onDelete={onDelete} />
          </div>
          <dl className={styles.facts}>
            {personHeader !== undefined && (
              <Fact label={personHeader}>
                <Person shown={key} />
              </Fact>
            )}
            <Fact label="Created">
              <Timestamp value={key.createdAt} />
            </Fact>
            <Fact label="Expires">
              <Expiry at={key.expiresAt} />
            </Fact>
            <Fact label="Last used">
              <LastUse at={key.lastUsedAt} />
            </Fact>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function KeyName({ shown: { name, description, operations, projects } }: { readonly shown: ShownKey }) {
  return (
    <div className={styles.nameCell}>
      <span className={styles.nameLine}>
        <span className={styles.name} title={revealHidden(name)}>
          <Name>{name}</Name>
        </span>
        {operations === 'READ' && <Badge>Read only</Badge>}
        {operations === 'INGEST' && <Badge>Send only</Badge>}
        {projects !== null && <ProjectsBadge names={projects.map((project) => project.name)} />}
      </span>
      {description !== null && (
        <span className={styles.description} title={revealHidden(description)}>
          <Name>{description}</Name>
        </span>
      )}
    </div>
  );
}

function ProjectsBadge({ names: [first, ...others] }: { readonly names: readonly string[] }) {
  if (first === undefined) return <Badge tone="warning">Its projects were deleted</Badge>;
  const all = [first, ...others].map(revealHidden).join(', ');
  return (
    <Badge className={styles.projects}>
      <span className={styles.projectName} title={all}>
        <Name>{first}</Name>
      </span>
      {others.length > 0 && (
        <>
          {` + ${others.length}`}
          <VisuallyHidden>: {others.map(revealHidden).join(', ')}</VisuallyHidden>
        </>
      )}
    </Badge>
  );
}

function Person({ shown: { person } }: { readonly shown: ShownKey }) {
  if (person === null) return <span className={styles.nobody}>–</span>;
  return (
    <span className={styles.person} title={person.email ?? undefined}>
      <Name>{person.username}</Name>
    </span>
  );
}

function Expiry({ at }: { readonly at: string | null }) {
  const state = expiryState(at, useNow());
  if (at === null) return <span className={styles.nobody}>Never</span>;
  if (state === 'far') return <Timestamp value={at} />;
  return (
    <Badge tone={state === 'expired' ? 'danger' : 'warning'}>
      {state === 'expired' && 'Expired '}
      <Timestamp value={at} />
    </Badge>
  );
}

function LastUse({ at }: { readonly at: string | null }) {
  return at === null ? <span className={styles.nobody}>Never</span> : <Timestamp value={at} />;
}

function DeleteButton({ shown, onDelete }: { readonly shown: ShownKey; readonly onDelete: (key: ShownKey) => void }) {
  return (
    <IconButton icon={Trash2} size="sm" label={`Delete ${revealHidden(shown.name)}`} onPress={() => onDelete(shown)} />
  );
}
