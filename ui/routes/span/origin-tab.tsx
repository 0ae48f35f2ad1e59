import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import { type JsonValue, tryParseJson } from '#base/json';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Card } from '#ui/components/panel.tsx';
import { JsonContent } from './json-content.tsx';
import { isEmpty } from './model/read-json.ts';
import styles from './origin-tab.module.css';
import { ReadingCard } from './reading-card.tsx';

/** See {@link OriginTab}. */
export interface OriginTabProps {
  /** Global node id. */
  readonly spanNodeId: string;
  readonly links: readonly SpanLinkData[];
  /** Spans whose links name this one. */
  readonly linkedFrom: readonly LinkingSpanData[];
  /** JSON text. */
  readonly resource: string;
  readonly scope: { readonly name: string; readonly version: string };
}

/** A pointer to another span; `span` is null where that is not stored. */
export interface SpanLinkData {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: unknown;
  readonly span: { readonly id: string; readonly name: string } | null | undefined;
}

/** A span that points at this one. */
export interface LinkingSpanData {
  readonly id: string;
  readonly spanId: string;
  readonly name: string;
  readonly context: { readonly traceId: string };
}

/** Where the span comes from, how it was read, and what it points to: links, the instrumentation, the resource. */
export function OriginTab({ spanNodeId, links, linkedFrom, resource, scope }: OriginTabProps) {
  const attributes = useMemo(() => tryParseJson(resource) ?? resource, [resource]);
  return (
    <div className={styles.tab}>
      {links.length > 0 && (
        <Card title={`Links (${links.length})`}>
          <ul className={styles.links}>
            {links.map((link, index) => (
              <li key={index} className={styles.link}>
                <LinkedSpan link={link} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {linkedFrom.length > 0 && (
        <Card title={`Linked from (${linkedFrom.length})`}>
          <ul className={styles.links}>
            {linkedFrom.map(({ id, spanId, name, context: { traceId } }) => (
              <li key={id} className={styles.link}>
                <LinkedSpan link={{ traceId, spanId, attributes: null, span: { id, name } }} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Instrumentation">
        <p className={styles.scope}>
          <code>{scope.name === '' ? 'unnamed' : scope.name}</code>
          {scope.version !== '' && <span className={styles.version}>{scope.version}</span>}
        </p>
      </Card>
      <ReadingCard spanNodeId={spanNodeId} />
      <Card title="Resource">
        {isEmpty(attributes) ? (
          <p className={styles.version}>No resource attributes were sent</p>
        ) : (
          <JsonContent value={attributes} label="resource" />
        )}
      </Card>
    </div>
  );
}

interface LinkedSpanProps {
  readonly link: SpanLinkData;
}

function LinkedSpan({ link: { traceId, spanId, span, attributes } }: LinkedSpanProps) {
  return (
    <>
      <div className={styles.target}>
        {span == null ? (
          <span className={styles.version}>A span that is not stored</span>
        ) : (
          // Of this trace or another, in this project or another: the server knows where.
          <Link to="/redirects/$kind/$" params={{ kind: 'spans', _splat: spanId }}>
            {span.name}
          </Link>
        )}
      </div>
      <dl className={styles.ids}>
        <dt>Span</dt>
        <dd>
          <code>{spanId}</code>
          <CopyButton text={spanId} label="Copy span id" />
        </dd>
        <dt>Trace</dt>
        <dd>
          <code>{traceId}</code>
          <CopyButton text={traceId} label="Copy trace id" />
        </dd>
      </dl>
      {!isEmpty(attributes as JsonValue) && (
        <JsonContent value={attributes as JsonValue} label="attributes of the link" />
      )}
    </>
  );
}
