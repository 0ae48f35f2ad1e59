import { useMemo } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { logRecordList_records$key } from '#ui/__generated__/logRecordList_records.graphql.ts';
import { type JsonObject, tryParseJson } from '#base/json';
import { Badge } from '#ui/components/badge.tsx';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { EventTime } from './event-time.tsx';
import { JsonContent } from './json-content.tsx';
import styles from './log-record-list.module.css';
import { isEmpty, parseContainer } from './model/read-json.ts';
import { TextContent } from './text-content.tsx';

const RECORDS = graphql`
  fragment logRecordList_records on LogRecordConnection {
    edges {
      node {
        id
        timestamp
        eventName
        severity
        body
        attributes
        damage
        instrumentationScope {
          name
        }
      }
    }
  }
`;

/** Log records, one under the other. */
export function LogRecordList(props: { readonly records: logRecordList_records$key }) {
  const { edges } = useFragment(RECORDS, props.records);
  return (
    <ol className={styles.records}>
      {edges.map(({ node }) => (
        <LogRecord key={node.id} record={node} />
      ))}
    </ol>
  );
}

interface LogRecordProps {
  readonly record: {
    readonly timestamp: string | null | undefined;
    readonly eventName: string | null | undefined;
    readonly severity: string;
    readonly body: string | null | undefined;
    readonly attributes: string;
    readonly damage: string | null | undefined;
    readonly instrumentationScope: { readonly name: string };
  };
}

function LogRecord({ record }: LogRecordProps) {
  const { timestamp, eventName, severity, body, damage, instrumentationScope } = record;
  const structure = useMemo(() => (body == null ? undefined : parseContainer(body)), [body]);
  const attributes = useMemo(() => tryParseJson(record.attributes) as JsonObject | undefined, [record.attributes]);
  const name = eventName ?? instrumentationScope.name;
  return (
    <li className={styles.record} aria-label={revealHidden(name)}>
      <header className={styles.header}>
        <h3 className={styles.name}>
          <Name>{name}</Name>
        </h3>
        {severity !== '' && <Badge>{revealHidden(severity)}</Badge>}
        {timestamp != null && <EventTime value={timestamp} />}
      </header>
      {damage != null && <p className={styles.damage}>{damage}</p>}
      {structure !== undefined && <JsonContent value={structure} label={`body of ${name}`} />}
      {structure === undefined && body != null && body !== '' && (
        <TextContent text={body} label={`body of ${name}`} isPlain />
      )}
      {!isEmpty(attributes) && attributes !== undefined && (
        <JsonContent value={attributes} label={`attributes of ${name}`} />
      )}
    </li>
  );
}
