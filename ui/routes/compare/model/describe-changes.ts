/** Differences in words. */
import { formatDuration, formatShare, formatTokens, formatUsd } from '#ui/lib/format.ts';
import type { AlignedNode } from './align.ts';
import type { ChangedPart, FigurePair, RowDifference } from './differences.ts';

/** What changed of a pair but its figures: `output, model`; empty where nothing did. */
export function describeChanges(parts: readonly ChangedPart[], { right }: AlignedNode): string {
  return parts
    .flatMap((part) => {
      if (part === 'status') return right?.span?.status === 'ERROR' ? 'fails' : 'no longer fails';
      return WORDS[part] ?? [];
    })
    .join(', ');
}

const WORDS: Readonly<Partial<Record<ChangedPart, string>>> = {
  output: 'output',
  input: 'input',
  prompt: 'prompt',
  parameters: 'parameters',
  tools: 'tools',
  model: 'model',
  name: 'name',
  order: 'order',
};

/** An amount that can be compared. */
export type FigureKind = 'time' | 'tokens' | 'cost';

/** The change of an amount with its sign: `+1.2 s`; undefined where a side does not tell it, or nothing changed. */
export function describeDelta(kind: FigureKind, { left, right }: FigurePair): string | undefined {
  if (left === null || right === null || left === right) return undefined;
  const text = formatFigure(kind, Math.abs(right - left));
  return `${right > left ? '+' : '−'}${text}`;
}

/** The change in percent with its sign: `+100 %`; undefined where nothing was before. */
export function describeShare({ left, right }: FigurePair): string | undefined {
  if (left === null || right === null || left === right || left === 0) return undefined;
  return `${right > left ? '+' : '−'}${formatShare(Math.abs(right - left) / left)}`;
}

/** The amount itself; costs are in billionths of a dollar. */
export function formatFigure(kind: FigureKind, value: number | null): string {
  switch (kind) {
    case 'time':
      return formatDuration(value);
    case 'tokens':
      return formatTokens(value);
    case 'cost':
      return formatUsd(value === null ? null : value / 1e9);
    default:
      return kind satisfies never;
  }
}

/** All that a row says, for those who hear it. */
export function describeRow(node: AlignedNode, row: RowDifference): string {
  if (node.right === null) return 'only in A';
  if (node.left === null) return 'only in B';
  const figures = (['time', 'tokens', 'cost'] as const).flatMap((kind) =>
    row.parts.includes(kind) ? `${kind} ${describeDelta(kind, row[kind]) ?? ''}` : [],
  );
  const words = describeChanges(row.parts, node);
  return [...(words === '' ? [] : [words]), ...figures].join(', ') || 'equal';
}
