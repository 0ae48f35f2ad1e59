import { Link as LinkIcon, Maximize2, Minimize2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { copyText } from '#ui/lib/clipboard.ts';
import { describeCosts } from '#ui/lib/costs.ts';
import { formatDuration, formatExact, formatTokens, formatUsd } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from './session-header.module.css';
import type { SessionSummary } from './session-source.ts';

/** See {@link SessionHeader}. */
export interface SessionHeaderProps {
  /** Null while it is read. */
  readonly summary: SessionSummary | null;
  readonly onClose?: (() => void) | undefined;
  readonly onExpand?: (() => void) | undefined;
  readonly isFullPage: boolean;
}

/** A session as a whole. */
export function SessionHeader({ summary, onClose, onExpand, isFullPage }: SessionHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <h2 className={styles.title} title={summary === null ? undefined : revealHidden(summary.sessionId)}>
          {summary === null ? <Skeleton width="180px" /> : <Name>{summary.sessionId}</Name>}
        </h2>
        {summary !== null && <CopyButton text={summary.sessionId} label="Copy session id" />}
        <span className={styles.gap} />
        <IconButton icon={LinkIcon} size="sm" label="Copy link" onPress={copyLink} />
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
      {summary !== null && <Facts summary={summary} />}
    </header>
  );
}

function Facts({ summary }: { readonly summary: SessionSummary }) {
  const { tokens, cost, userId, errorCount } = summary;
  const durationMs = Date.parse(summary.endTime) - Date.parse(summary.startTime);
  return (
    <dl className={styles.facts}>
      <Fact label="Turns">{formatExact(summary.turnCount)}</Fact>
      {errorCount > 0 && (
        <Fact label="With errors" isBad>
          {formatExact(errorCount)}
        </Fact>
      )}
      <Fact label="Started">
        <Timestamp value={summary.startTime} style="time" />
      </Fact>
      <Fact label="Duration">{formatDuration(durationMs)}</Fact>
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
      {summary.latencyMsP50 !== null && <Fact label="Latency P50">{formatDuration(summary.latencyMsP50)}</Fact>}
      {userId !== null && (
        <Fact label="User">
          <Name>{userId}</Name>
        </Fact>
      )}
    </dl>
  );
}

interface FactProps {
  readonly label: string;
  readonly title?: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

function Fact({ label, title, isBad = false, children }: FactProps) {
  return (
    <div className={styles.fact} title={title}>
      <dt>{label}</dt>
      <dd className={isBad ? styles.bad : undefined}>{children}</dd>
    </div>
  );
}

function copyLink(): void {
  copyText(location.href).then(
    () => showToast({ tone: 'success', title: 'Link copied' }),
    () => showToast({ tone: 'danger', title: 'The browser blocked copying' }),
  );
}
