import { memo, type ReactNode, useState } from 'react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { formatDuration, formatExact } from '#ui/lib/format.ts';
import type { TreeNode } from '../model/forest.ts';
import type { TraceSpan } from '../model/trace-span.ts';
import type { LogContent } from './log-contents.ts';
import { cutAtFinds, excerptOf } from './log-text.ts';
import styles from './log-entry.module.css';

/** What one span read, wrote and met. */
export const LogEntry = memo(function LogEntry(props: {
  readonly node: TreeNode;
  readonly span: TraceSpan;
  /** Since the trace began. */
  readonly sinceMs: number;
  /** Undefined until it is fetched. */
  readonly content: LogContent | undefined;
  readonly query: string;
  readonly isSelected: boolean;
  readonly onSelect: (node: TreeNode) => void;
}) {
  const { node, span, content, query } = props;
  return (
    <article className={styles.entry} data-selected={props.isSelected || undefined}>
      <button
        type="button"
        className={styles.head}
        aria-current={props.isSelected}
        onClick={() => props.onSelect(node)}
      >
        <span className={styles.since}>+{formatDuration(props.sinceMs)}</span>
        <KindIcon kind={span.kind} size={14} />
        <span className={styles.name}>{span.name === '' ? <em>unnamed</em> : <Name>{span.name}</Name>}</span>
        {span.status === 'ERROR' && <StatusMark status="ERROR" />}
        <span className={styles.length}>
          {span.endMs === null ? 'running' : formatDuration(span.endMs - span.startMs)}
        </span>
      </button>
      {content === undefined ? (
        <div className={styles.waiting}>
          <Skeleton lines={2} />
        </div>
      ) : (
        <Contents content={content} query={query} hasFailed={span.status === 'ERROR'} />
      )}
    </article>
  );
});

function Contents(props: { readonly content: LogContent; readonly query: string; readonly hasFailed: boolean }) {
  const { content, query } = props;
  const { input, output, exceptions, statusMessage } = content;
  if (input === null && output === null && exceptions.length === 0 && statusMessage === '') {
    return <p className={styles.nothing}>No input or output.</p>;
  }
  return (
    <dl className={styles.contents}>
      {input !== null && <Text label="in" text={input} query={query} />}
      {output !== null && <Text label="out" text={output} query={query} />}
      {exceptions.map(({ type, message, stack }) => (
        <Text
          key={`${type}${message}`}
          label="error"
          text={`${type}: ${message}${stack === null ? '' : `\n${stack}`}`}
          query={query}
        />
      ))}
      {exceptions.length === 0 && statusMessage !== '' && (
        <Text label={props.hasFailed ? 'error' : 'status'} text={statusMessage} query={query} />
      )}
    </dl>
  );
}

function Text({ label, text, query }: { readonly label: string; readonly text: string; readonly query: string }) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const { text: shown, hiddenCount } = excerptOf(text, isUnfolded);
  return (
    <>
      <dt className={styles.label} data-label={label}>
        {label}
      </dt>
      <dd className={styles.text} data-label={label}>
        <pre className={styles.pre}>
          {mark(shown, query)}
          {hiddenCount > 0 && '…'}
        </pre>
        {hiddenCount > 0 && !isUnfolded && (
          <button type="button" className={styles.more} onClick={() => setIsUnfolded(true)}>
            Show {formatExact(hiddenCount)} more characters
          </button>
        )}
        {hiddenCount > 0 && isUnfolded && (
          <p className={styles.rest}>{formatExact(hiddenCount)} more characters are shown in the span’s details.</p>
        )}
      </dd>
    </>
  );
}

function mark(text: string, query: string): ReactNode {
  return cutAtFinds(text, query).map((stretch, place) =>
    stretch.isFound ? <mark key={place}>{stretch.text}</mark> : stretch.text,
  );
}
