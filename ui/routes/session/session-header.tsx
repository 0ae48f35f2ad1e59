import { Link as LinkIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { FactPlaces } from '#ui/components/fact-places.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { copyText } from '#ui/lib/clipboard.ts';
import { describeCosts } from '#ui/lib/costs.ts';
import { formatDuration, formatExact, formatTokens, formatUsd } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { AnnotateButton } from '../annotate/annotate-button.tsx';
import { TargetChips } from '../annotate/target-chips.tsx';
import { UserLink } from '../project/cell-links.tsx';
import { PanelBar } from '../project/panel-bar.tsx';
import { useProjectView } from '../project/project-view.ts';
import styles from './session-header.module.css';
import type { SessionSummary } from './session-source.ts';

/** See {@link SessionHeader}. */
export interface SessionHeaderProps {
  /** Global node id. */
  readonly sessionId: string;
  /** Null while it is read. */
  readonly summary: SessionSummary | null;
  /** Whether there is room for more than its name. */
  readonly hasFacts: boolean;
}

/** A session as a whole. */
export function SessionHeader({ sessionId, summary, hasFacts }: SessionHeaderProps) {
  return (
    <header className={styles.header}>
      <PanelBar
        title={summary?.sessionId}
        actions={
          <>
            <AnnotateButton choice="session" />
            {summary !== null && <CopyButton text={summary.sessionId} label="Copy session id" />}
            <IconButton icon={LinkIcon} size="sm" label="Copy link" onPress={copyLink} />
          </>
        }
      >
        <h2 className={styles.title} title={summary === null ? undefined : revealHidden(summary.sessionId)}>
          {summary === null ? <Skeleton width="180px" /> : <Name>{summary.sessionId}</Name>}
        </h2>
      </PanelBar>
      {summary === null && hasFacts && <FactPlaces widths={FACT_WIDTHS} className={styles.facts} />}
      {summary !== null && hasFacts && <Facts summary={summary} />}
      {summary !== null && hasFacts && <TargetChips kind="session" id={sessionId} />}
    </header>
  );
}

/** Turns, start, duration, tokens, cost, latency, user. */
const FACT_WIDTHS = [48, 146, 104, 90, 92, 118, 112];

function Facts({ summary }: { readonly summary: SessionSummary }) {
  const { projectId } = useProjectView();
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
          <UserLink userId={userId} projectId={projectId} />
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
