import { Link, useNavigate } from '@tanstack/react-router';
import { Download, Ellipsis, Fingerprint, GitCompareArrows, Link as LinkIcon, Maximize2, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Badge } from '#ui/components/badge.tsx';
import { IconButton } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { FactPlaces } from '#ui/components/fact-places.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { copyText } from '#ui/lib/clipboard.ts';
import { describeCosts } from '#ui/lib/costs.ts';
import { formatDuration, formatExact, formatTokens, formatUsd } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { download } from '#ui/lib/download.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { AnnotateButton } from '../annotate/annotate-button.tsx';
import { TargetChips } from '../annotate/target-chips.tsx';
import { DeleteTrace } from '../deletion/delete-trace.tsx';
import { UserLink } from '../project/cell-links.tsx';
import { PanelBar } from '../project/panel-bar.tsx';
import { useProjectView } from '../project/project-view.ts';
import { Fact } from './fact.tsx';
import { LinkedTraces } from './linked-traces.tsx';
import type { Forest } from './model/forest.ts';
import type { TraceSummary } from './trace-source.ts';
import styles from './trace-header.module.css';

/** See {@link TraceHeader}. */
export interface TraceHeaderProps {
  readonly projectId: string;
  /** Hexadecimal. */
  readonly traceId: string;
  readonly summary: TraceSummary | null;
  readonly isLoading: boolean;
  readonly forest: Forest;
  /** Undefined while they are read, if there probably are some. */
  readonly tags: readonly string[] | undefined;
  readonly onClose: () => void;
  /** The way back to the session that the trace is a turn of, where it is shown as that. */
  readonly back: ReactNode | undefined;
}

/** What a trace is as a whole, and what can be done with it. */
export function TraceHeader(props: TraceHeaderProps) {
  const { projectId, traceId, summary, forest, isLoading, back } = props;
  const name = summary?.rootName ?? forest.nodes.find(({ span }) => span !== null)?.span?.name;
  const title = nameOf(props, name);
  const menu = (
    <TraceMenu
      projectId={projectId}
      traceId={traceId}
      summary={summary}
      name={name}
      isTurn={back !== undefined}
      onClose={props.onClose}
    />
  );
  const facts =
    summary === null ? (
      isLoading && <FactPlaces widths={back === undefined ? FACT_WIDTHS : TURN_FACT_WIDTHS} className={styles.facts} />
    ) : (
      <Facts {...props} summary={summary} isTurn={back !== undefined} />
    );
  const chips = summary !== null && <TargetChips kind="trace" id={summary.id} />;
  if (back !== undefined) {
    return (
      <header className={styles.header}>
        <div className={styles.turn}>
          {back}
          {facts}
          <AnnotateButton choice="trace" />
          {menu}
        </div>
        {chips}
      </header>
    );
  }
  return (
    <header className={styles.header}>
      <PanelBar
        title={title}
        actions={
          <>
            <AnnotateButton choice="trace" />
            <IconButton
              icon={LinkIcon}
              size="sm"
              label="Copy link"
              onPress={() => copy(location.href, 'Link copied')}
            />
            {menu}
          </>
        }
      >
        <h2 className={styles.title} title={title === undefined ? undefined : revealHidden(title)}>
          {title === undefined ? <Skeleton width="180px" /> : <Name>{title}</Name>}
        </h2>
      </PanelBar>
      {facts}
      {chips}
    </header>
  );
}

/** What the trace is called; undefined while that is read. */
function nameOf({ traceId, summary, isLoading }: TraceHeaderProps, name: string | undefined): string | undefined {
  if (summary !== null) return name === undefined || name === '' ? 'Unnamed trace' : name;
  return isLoading ? undefined : `Trace ${traceId.slice(0, 8)}`;
}

/** Status, latency, tokens, cost, spans and start; whose it is; its id. */
const TURN_FACT_WIDTHS = [16, 92, 88, 92, 56, 146, 118];
const FACT_WIDTHS = [...TURN_FACT_WIDTHS.slice(0, -1), 184, 112, 118];
const TAGS_WIDTH = 96;

interface FactsProps extends Pick<TraceHeaderProps, 'projectId' | 'traceId' | 'forest' | 'tags'> {
  readonly summary: TraceSummary;
  /** The header of the session says whose it is. */
  readonly isTurn: boolean;
}

function Facts({ projectId, traceId, summary, forest, tags, isTurn }: FactsProps) {
  const { tokens, cost, session, userId } = summary;
  return (
    <dl className={styles.facts}>
      <div className={styles.status}>
        <dt>
          <VisuallyHidden>Status</VisuallyHidden>
        </dt>
        <dd>
          <StatusMark status={summary.status} />
        </dd>
      </div>
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
      {!isTurn && session !== null && (
        <Fact label="Session" title={revealHidden(session.sessionId)}>
          <Link to="/projects/$projectId/sessions/$sessionId" params={{ projectId, sessionId: session.id }}>
            <Name>{session.sessionId}</Name>
          </Link>
        </Fact>
      )}
      {!isTurn && userId !== null && (
        <Fact label="User" title={revealHidden(userId)}>
          <UserLink userId={userId} projectId={projectId} />
        </Fact>
      )}
      {tags === undefined && <TagsPlace />}
      {tags !== undefined && tags.length > 0 && (
        <div className={styles.tags} title={tags.map(revealHidden).join(', ')}>
          <dt>
            <VisuallyHidden>Tags</VisuallyHidden>
          </dt>
          <dd>
            {tags.map((tag) => (
              <Badge key={tag} className={styles.tag}>
                <Name>{tag}</Name>
              </Badge>
            ))}
          </dd>
        </div>
      )}
      <div className={styles.fact}>
        <dt>Trace</dt>
        <dd className={styles.id}>
          <code title={traceId}>{traceId.slice(0, 8)}</code>
          <CopyButton text={traceId} label="Copy trace id" />
        </dd>
      </div>
      <LinkedTraces traceNodeId={summary.id} spanCount={summary.spanCount} />
    </dl>
  );
}

/** Keeps the place of the tags while they are read. */
function TagsPlace() {
  return (
    <div className={styles.tags} aria-hidden>
      <dt />
      <dd>
        <Skeleton width={`${TAGS_WIDTH}px`} height="12px" />
      </dd>
    </div>
  );
}

function TraceMenu(props: {
  readonly projectId: string;
  readonly traceId: string;
  readonly summary: TraceSummary | null;
  readonly name: string | undefined;
  readonly isTurn: boolean;
  readonly onClose: () => void;
}) {
  const { projectId, traceId, summary, name = '', isTurn, onClose } = props;
  const navigate = useNavigate();
  const { refresh } = useProjectView();
  const [isDeleting, setIsDeleting] = useState(false);
  const canDelete = useMay('write');
  const original = `/v1/traces/${traceId}/original`;
  return (
    <>
      <MenuTrigger>
        <IconButton icon={Ellipsis} size="sm" label="Trace actions" />
        <Menu label="Trace" placement="bottom end">
          <MenuItem icon={Fingerprint} onAction={() => copy(traceId, 'Trace id copied')}>
            Copy trace id
          </MenuItem>
          {isTurn && (
            <MenuItem
              icon={Maximize2}
              onAction={() =>
                void navigate({
                  to: '/projects/$projectId/traces/$traceId',
                  params: { projectId, traceId },
                  search: { view: 'full' },
                })
              }
            >
              Open as a page of its own
            </MenuItem>
          )}
          <MenuItem
            icon={GitCompareArrows}
            onAction={() => void navigate({ to: '/compare/traces', search: { b: traceId } })}
          >
            Compare with…
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Download} onAction={() => download(`${original}?format=json`, `${traceId}.json`)}>
            Download original as JSON
          </MenuItem>
          <MenuItem icon={Download} onAction={() => download(`${original}?format=protobuf`, `${traceId}.binpb`)}>
            Download original as protobuf
          </MenuItem>
          {canDelete && <MenuSeparator />}
          {canDelete && (
            <MenuItem icon={Trash2} isDisabled={summary === null} onAction={() => setIsDeleting(true)}>
              Delete trace…
            </MenuItem>
          )}
        </Menu>
      </MenuTrigger>
      {isDeleting && summary !== null && (
        <DeleteTrace
          trace={{ id: summary.id, name: name === '' ? 'an unnamed trace' : name, spanCount: summary.spanCount }}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => {
            onClose();
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
