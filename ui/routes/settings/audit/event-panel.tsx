import { Link, useParams } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useDeferredValue } from 'react';
import { graphql } from 'react-relay';
import type { eventPanelQuery } from '#ui/__generated__/eventPanelQuery.graphql.ts';
import { Badge } from '#ui/components/badge.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { isNodeId } from '#ui/lib/node-id.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { DetailsFact, DetailsFacts, DetailsPanel, DetailsWays } from '../details-panel.tsx';
import settingsStyles from '../settings.module.css';
import { Outcome } from './audit-columns.tsx';
import { nameAction, nameCallerKind, nameChange, nameObjectType, nameSystemCaller } from './audit-names.ts';
import styles from './audit-page.module.css';

/** The event that the address names. */
export function EventPanel() {
  // The last event stays until the next one is there.
  const eventId = useDeferredValue(useParams({ strict: false }).eventId ?? '');
  if (!isNodeId('AuditEvent', eventId)) return <NoEvent />;
  return (
    <ErrorBoundary fallbackTitle="The event could not be loaded" resetKey={eventId} missing={<NoEvent />}>
      <FoundEvent eventId={eventId} />
    </ErrorBoundary>
  );
}

function FoundEvent({ eventId }: { readonly eventId: string }) {
  const { event } = useQuery<eventPanelQuery>(
    graphql`
      query eventPanelQuery($eventId: ID!) {
        event: node(id: $eventId) {
          ... on AuditEvent @alias(as: "found") {
            occurredAt
            outcome
            operation
            count
            callerKind
            callerName
            userId
            keyId
            keyName
            address
            objectType
            objectId
            objectName
            changes
            project {
              id
              name
            }
          }
        }
      }
    `,
    { eventId },
  );
  const { found } = event;
  if (found == null) return <NoEvent />;
  const { callerName, userId, keyId, keyName, objectType, objectId, objectName, project } = found;
  const action = nameAction(found.operation);
  return (
    <DetailsPanel label={`Event: ${action}`} table="/settings/audit-log" title={action}>
      <DetailsFacts>
        <DetailsFact label="Time">
          <Timestamp value={found.occurredAt} style="full" />
        </DetailsFact>
        <DetailsFact label="Who">
          {callerName != null && found.callerKind === 'system' ? (
            <span title={callerName}>{nameSystemCaller(callerName)}</span>
          ) : (
            <>
              {callerName != null && <Name>{callerName}</Name>}{' '}
              <span className={settingsStyles.faint}>{nameCallerKind(found.callerKind)}</span>
            </>
          )}
        </DetailsFact>
        {keyId != null && keyName != null && (
          <DetailsFact label="By key">
            <Name>{keyName}</Name>
            <CopyButton text={keyId} label="Copy key id" />
          </DetailsFact>
        )}
        {found.address != null && (
          <DetailsFact label="Address">
            <code>{found.address}</code>
          </DetailsFact>
        )}
        <DetailsFact label="Action">
          <code>{found.operation}</code>
        </DetailsFact>
        <DetailsFact label="Outcome">
          <Outcome event={found} />
        </DetailsFact>
        {found.count > 1 && <DetailsFact label="Count">{formatExact(found.count)} times within the minute</DetailsFact>}
        {objectType != null && (
          <DetailsFact label="Object">
            <span className={settingsStyles.faint}>{nameObjectType(objectType)}</span>{' '}
            {objectName != null && <Name>{objectName}</Name>}
          </DetailsFact>
        )}
        {objectId != null && (
          <DetailsFact label="Object id">
            <code>{objectId}</code>
            <CopyButton text={objectId} label="Copy object id" />
          </DetailsFact>
        )}
        {project != null && (
          <DetailsFact label="Project">
            <Link to="/projects/$projectId" params={{ projectId: project.id }}>
              <Name>{project.name}</Name>
            </Link>
          </DetailsFact>
        )}
        <DetailsFact label="Changed">
          {found.changes.length === 0 ? (
            <span className={settingsStyles.faint}>–</span>
          ) : (
            <ul className={styles.changes}>
              {found.changes.map((change) => (
                <li key={change}>
                  <Badge>{nameChange(change)}</Badge>
                </li>
              ))}
            </ul>
          )}
        </DetailsFact>
      </DetailsFacts>
      <p className={settingsStyles.hint}>The log names what changed, never the values.</p>
      <DetailsWays>
        {callerName != null && (
          <Link
            to="/settings/audit-log"
            search={userId == null ? { by: callerName } : { user: userId, userName: callerName }}
          >
            All events by <Name>{callerName}</Name>
          </Link>
        )}
        {objectId != null && (
          <Link to="/settings/audit-log" search={{ object: objectId, objectName: objectName ?? undefined }}>
            All events of this object
          </Link>
        )}
      </DetailsWays>
    </DetailsPanel>
  );
}

function NoEvent() {
  return (
    <DetailsPanel label="Event" title="Event" table="/settings/audit-log">
      <EmptyState icon={ScrollText} title="There is no such event">
        It may have been old enough to be deleted, or the address is mistyped.
      </EmptyState>
    </DetailsPanel>
  );
}
