import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, Fingerprint, Link as LinkIcon, Maximize2, Minimize2, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { copyText } from '#ui/lib/clipboard.ts';
import { describeCosts } from '#ui/lib/costs.ts';
import { formatDuration, formatExact, formatTokens, formatUsd } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { DeleteTrace } from '../deletion/delete-trace.tsx';
import { useProjectView } from '../project/project-view.ts';
import { Fact } from './fact.tsx';
import { LinkedTraces } from './linked-traces.tsx';
import type { Forest } from './model/forest.ts';
import type { TraceSummary } from './trace-source.ts';
import styles from './trace-header.module.css';

/** What a trace is as a whole, and what can be done with it. */
export function TraceHeader(props: {
  readonly projectId: string;
  readonly traceId: string;
  readonly summary: TraceSummary | null;
  readonly isLoading: boolean;
  readonly forest: Forest;
  readonly onClose?: (() => void) | undefined;
  readonly onExpand?: (() => void) | undefined;
  readonly isFullPage: boolean;
}) {
  const { summary, forest, isLoading, isFullPage, onExpand, onClose } = props;
  const name = summary?.rootName ?? forest.nodes.find(({ span }) => span !== null)?.span?.name;
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        {summary === null && isLoading && <span className={styles.markPlace} />}
        {summary !== null && <StatusMark status={summary.status} size={16} />}
        <h2 className={styles.title} title={name === undefined ? undefined : revealHidden(name)}>
          {summary === null && isLoading && <Skeleton width="180px" />}
          {summary === null && !isLoading && `Trace ${props.traceId.slice(0, 8)}`}
          {summary !== null && (name === undefined || name === '' ? 'Unnamed trace' : <Name>{name}</Name>)}
        </h2>
        <div className={styles.actions}>
          <IconButton icon={LinkIcon} size="sm" label="Copy link" onPress={() => copy(location.href, 'Link copied')} />
          <TraceMenu traceId={props.traceId} summary={summary} name={name} onClose={onClose} />
          {onExpand !== undefined && (
            <IconButton
              icon={isFullPage ? Minimize2 : Maximize2}
              size="sm"
              label={isFullPage ? 'Show beside the table' : 'Show as a full page'}
              onPress={onExpand}
            />
          )}
          {onClose !== undefined && <IconButton icon={X} size="sm" label="Close" shortcut="Escape" onPress={onClose} />}
        </div>
      </div>
      {summary !== null && <Facts {...props} summary={summary} />}
      {summary === null && isLoading && (
        <div className={styles.facts}>
          <span className={styles.factsPlace}>
            <Skeleton width="320px" height="12px" />
          </span>
        </div>
      )}
    </header>
  );
}

function Facts(props: { readonly projectId: string; readonly summary: TraceSummary; readonly forest: Forest }) {
  const { summary, forest } = props;
  const { tokens, cost, session } = summary;
  return (
    <dl className={styles.facts}>
      <Fact label="Latency">
        {summary.latencyMs === null ? 'running' : formatDuration(summary.latencyMs)}
        {summary.latencyMs !== null && forest.openCount > 0 && ' so far'}
      </Fact>
      {tokens.total > 0 && (
        <Fact
          label="Tokens"
          title={`${formatExact(tokens.prompt)} prompt, ${formatExact(tokens.completion)} completion`}
        >
          {formatTokens(tokens.total)}
        </Fact>
      )}
      {cost.total !== null && cost.total > 0 && (
        <Fact label="Cost" title={describeCosts(cost)}>
          {formatUsd(cost.total)}
        </Fact>
      )}
      <Fact label="Spans">{formatExact(summary.spanCount)}</Fact>
      {summary.errorCount > 0 && (
        <Fact label="Errors" tone="danger">
          {formatExact(summary.errorCount)}
        </Fact>
      )}
      {forest.openCount > 0 && (
        <Fact label="Running" tone="info">
          {formatExact(forest.openCount)}
        </Fact>
      )}
      <Fact label="Started">
        <Timestamp value={summary.startTime} style="time" />
      </Fact>
      {session !== null && (
        <Fact label="Session" title={revealHidden(session.sessionId)}>
          <Link
            to="/projects/$projectId/sessions/$sessionId"
            params={{ projectId: props.projectId, sessionId: session.id }}
          >
            <Name>{session.sessionId}</Name>
          </Link>
        </Fact>
      )}
      {summary.userId !== null && (
        <Fact label="User" title={revealHidden(summary.userId)}>
          <Name>{summary.userId}</Name>
        </Fact>
      )}
      <LinkedTraces traceNodeId={summary.id} spanCount={summary.spanCount} />
    </dl>
  );
}

function TraceMenu(props: {
  readonly traceId: string;
  readonly summary: TraceSummary | null;
  readonly name: string | undefined;
  readonly onClose: (() => void) | undefined;
}) {
  const { traceId, summary, name = '', onClose } = props;
  const { refresh } = useProjectView();
  const [isDeleting, setIsDeleting] = useState(false);
  const original = `${serverConfig.rootPath}/v1/traces/${traceId}/original`;
  return (
    <>
      <MenuTrigger>
        <IconButton icon={Ellipsis} size="sm" label="Trace actions" />
        <Menu label="Trace" placement="bottom end">
          <MenuItem icon={Fingerprint} onAction={() => copy(traceId, 'Trace id copied')}>
            Copy trace id
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Download} onAction={() => download(`${original}?format=json`, `${traceId}.json`)}>
            Download original as JSON
          </MenuItem>
          <MenuItem icon={Download} onAction={() => download(`${original}?format=protobuf`, `${traceId}.binpb`)}>
            Download original as protobuf
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Trash2} isDisabled={summary === null} onAction={() => setIsDeleting(true)}>
            Delete trace…
          </MenuItem>
        </Menu>
      </MenuTrigger>
      {isDeleting && summary !== null && (
        <DeleteTrace
          trace={{ id: summary.id, name: name === '' ? 'an unnamed trace' : name, spanCount: summary.spanCount }}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => {
            onClose?.();
            refresh();
          }}
        />
      )}
    </>
  );
}

function copy(text: string, done: string): void {
  copyText(text).then(
    () => showToast({ tone: 'success', title: done }),
    () =>
      showToast({
        tone: 'danger',
        title: 'The browser blocked copying',
        description: 'Select the text and copy it manually.',
      }),
  );
}

function download(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}
