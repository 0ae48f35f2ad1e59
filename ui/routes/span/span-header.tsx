import { Download, FileJson, FileDigit } from 'lucide-react';
import { Button } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Duration } from '#ui/components/duration.tsx';
import { KindBadge } from '#ui/components/kind-icon.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { download } from '#ui/lib/download.ts';
import { AnnotateButton } from '../annotate/annotate-button.tsx';
import { AnnotationChips } from '../annotate/annotation-chips.tsx';
import type { Judgement } from '../annotate/model/judgements.ts';
import { CostFigures } from './cost-figures.tsx';
import type { CostDetails } from './model/cost.ts';
import type { TokenDetails } from './model/tokens.ts';
import styles from './span-header.module.css';
import { TokenFigures } from './token-figures.tsx';

/** See {@link SpanHeader}. */
export interface SpanHeaderProps {
  readonly span: {
    readonly id: string;
    readonly name: string;
    readonly spanKind: string;
    readonly statusCode: string;
    readonly statusMessage: string;
    readonly startTime: string;
    readonly endTime: string | null | undefined;
    readonly latencyMs: number | null | undefined;
    readonly context: { readonly spanId: string };
  };
  /** Notes included. */
  readonly annotations: readonly Judgement[];
  /** Whether an exception says what the status says. */
  readonly isErrorTold: boolean;
  readonly tokens: TokenDetails | undefined;
  readonly cost: CostDetails | undefined;
}

/** What a span is and how it went. */
export function SpanHeader({ span, annotations, isErrorTold, tokens, cost }: SpanHeaderProps) {
  const isOpen = span.endTime == null;
  return (
    <header className={styles.header}>
      <div className={styles.titleRow}>
        <KindBadge kind={span.spanKind} />
        <h2 className={styles.title} title={revealHidden(span.name)}>
          {span.name === '' ? 'Span without a name' : <Name>{span.name}</Name>}
        </h2>
        <AnnotateButton choice="span" />
        <Originals id={span.id} spanId={span.context.spanId} />
      </div>
      <div className={styles.facts}>
        <StatusMark status={isOpen ? 'OPEN' : span.statusCode} hasText />
        <span className={styles.fact}>
          <Timestamp value={span.startTime} style="time" />
        </span>
        {!isOpen && (
          <span className={styles.fact}>
            <Duration ms={span.latencyMs} />
          </span>
        )}
        {tokens !== undefined && <TokenFigures tokens={tokens} />}
        {cost !== undefined && <CostFigures cost={cost} />}
        <span className={styles.id}>
          Span <code title={span.context.spanId}>{span.context.spanId.slice(0, 8)}</code>
          <CopyButton text={span.context.spanId} label="Copy span id" />
        </span>
      </div>
      <AnnotationChips annotations={annotations} choice="span" />
      {span.statusMessage !== '' && !isErrorTold && (
        <p className={styles.message} data-status={span.statusCode}>
          {span.statusMessage.slice(0, MAX_MESSAGE).trimEnd()}
        </p>
      )}
    </header>
  );
}

const MAX_MESSAGE = 4000;

/** The span as it was sent. */
function Originals({ id, spanId }: { readonly id: string; readonly spanId: string }) {
  const original = `/v1/spans/${encodeURIComponent(id)}/original`;
  return (
    <MenuTrigger>
      <Button
        variant="ghost"
        size="sm"
        icon={Download}
        aria-label="Download the original"
        tooltip="Download the original"
      />
      <Menu label="Download the original" placement="bottom end">
        <MenuItem icon={FileJson} onAction={() => download(`${original}?format=json`, `span-${spanId}.json`)}>
          OTLP as JSON
        </MenuItem>
        <MenuItem icon={FileDigit} onAction={() => download(`${original}?format=protobuf`, `span-${spanId}.binpb`)}>
          OTLP as protobuf
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}
