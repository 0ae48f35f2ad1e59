import { TrendingDown, TrendingUp } from 'lucide-react';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { describeDelta, describeShare, type FigureKind, formatFigure } from './model/describe-changes.ts';
import type { FigurePair } from './model/differences.ts';
import styles from './delta.module.css';

/** See {@link Delta}. */
export interface DeltaProps {
  readonly kind: FigureKind;
  readonly figures: FigurePair;
  /** Whether it counts as a difference: then it has the colour of worse or better. */
  readonly isLarge: boolean;
  /** Says the change in percent, too, with an arrow where it counts. */
  readonly hasShare?: boolean;
}

/** By how much an amount changed, with its sign. */
export function Delta({ kind, figures, isLarge, hasShare = false }: DeltaProps) {
  const delta = describeDelta(kind, figures);
  if (delta === undefined) return null;
  const share = describeShare(figures);
  const isMore = delta.startsWith('+');
  const Icon = isMore ? TrendingUp : TrendingDown;
  const title = `${formatFigure(kind, figures.left)} → ${formatFigure(kind, figures.right)}${share === undefined ? '' : `, ${share}`}`;
  return (
    <span className={styles.delta} data-tone={isLarge ? (isMore ? 'worse' : 'better') : undefined} title={title}>
      {isLarge && hasShare && <Icon size={12} aria-hidden />}
      {!hasShare && <VisuallyHidden>{kind} </VisuallyHidden>}
      {delta}
      {hasShare && share !== undefined && <span>{share}</span>}
      {isLarge && <VisuallyHidden>{isMore ? ', more' : ', less'}</VisuallyHidden>}
    </span>
  );
}
