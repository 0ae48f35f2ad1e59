import { AudioLines, File, Film, Image } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { Duration } from '#ui/components/duration.tsx';
import { Name } from '#ui/components/name.tsx';
import { type CostSummary, describeCosts, readCosts } from '#ui/lib/costs.ts';
import { formatExact, formatTokens, formatUsd, formatUsdBriefly } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from './cells.module.css';
import { type IoBeginning, type Preview, previewOf } from './preview.ts';

/** The beginning of an input or output. */
export function IoCell({ value }: { readonly value: IoBeginning | null | undefined }) {
  const preview = previewOf(value);
  if (preview === undefined) return <Missing />;
  return (
    <span className={styles.preview} data-code={preview.isCode || undefined} data-has-text>
      <PreviewText preview={preview} />
    </span>
  );
}

function PreviewText({ preview }: { readonly preview: Preview }) {
  const Icon = preview.media === undefined ? undefined : MEDIA_ICONS[preview.media];
  return (
    <>
      {Icon !== undefined && <Icon size={13} className={styles.mediaIcon} aria-hidden />}
      {preview.text}
    </>
  );
}

const MEDIA_ICONS = { image: Image, audio: AudioLines, video: Film, file: File } as const;

/** A duration with a bar against those of most rows, which the table gives as `--scale-ms`. */
export function LatencyCell({
  ms,
  isOpen = false,
}: {
  readonly ms: number | null | undefined;
  readonly isOpen?: boolean;
}) {
  if (ms == null) return isOpen ? <span className={styles.faint}>running</span> : <Missing />;
  return (
    <span className={styles.latency} style={{ '--ms': ms } as CSSProperties}>
      <span className={styles.bar} aria-hidden />
      <Duration ms={ms} />
    </span>
  );
}

/** How long a model took until it began to answer. */
export function FirstTokenCell({ ms }: { readonly ms: number | null | undefined }) {
  return ms == null ? <Missing /> : <Duration ms={ms} />;
}

/** A number of tokens, with prompt and completion in its title. */
export function TokensCell(tokens: {
  readonly total: number | null | undefined;
  readonly prompt: number | null | undefined;
  readonly completion: number | null | undefined;
}) {
  if (tokens.total == null || tokens.total === 0) return <Missing />;
  const title = `${formatExact(tokens.prompt ?? 0)} prompt, ${formatExact(tokens.completion ?? 0)} completion`;
  return (
    <span className={styles.number} title={title}>
      {formatTokens(tokens.total)}
    </span>
  );
}

/** What calls cost, with the exact sum and its two sides in the title. */
export function CostCell({ summary }: { readonly summary: CostSummary | null | undefined }) {
  const costs = readCosts(summary);
  if (costs.total === null || costs.total === 0) return <Missing />;
  return (
    <span className={styles.number} title={`${formatUsd(costs.total)}: ${describeCosts(costs)}`}>
      {formatUsdBriefly(costs.total)}
    </span>
  );
}

/** An id, cut to its beginning. */
export function IdCell({ id }: { readonly id: string }) {
  return (
    <span className={styles.id} title={id}>
      {id.slice(0, 8)}
    </span>
  );
}

/** A short text that may be absent. */
export function TextCell({ children }: { readonly children: string | null | undefined }) {
  if (children == null || children === '') return <Missing />;
  return (
    <span className={styles.text} title={revealHidden(children)}>
      <Name>{children}</Name>
    </span>
  );
}

/** Stands where there is no value. */
export function Missing() {
  return <span className={styles.faint}>–</span>;
}

/** A row where there is no room for columns. */
export function RowCard(props: {
  readonly mark: ReactNode;
  readonly name: ReactNode;
  readonly time: ReactNode;
  readonly text: IoBeginning | null | undefined;
  readonly facts: ReactNode;
}) {
  const preview = previewOf(props.text);
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        {props.mark}
        <span className={styles.cardName}>{props.name}</span>
        <span className={styles.faint}>{props.time}</span>
      </div>
      <p className={styles.cardText} data-code={preview?.isCode === true || undefined}>
        {preview === undefined ? '–' : <PreviewText preview={preview} />}
      </p>
      <div className={styles.facts}>{props.facts}</div>
    </div>
  );
}
