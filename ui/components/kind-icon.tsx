import {
  ArrowDownWideNarrow,
  Bot,
  ChartScatter,
  CircleHelp,
  FileSearch,
  Gauge,
  Link2,
  type LucideIcon,
  MessageSquareText,
  ShieldCheck,
  Split,
  SquarePen,
  Wrench,
} from 'lucide-react';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './kind-icon.module.css';

interface Kind {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly color: string;
}

const UNKNOWN: Kind = { icon: CircleHelp, label: 'Unknown', color: 'var(--color-kind-unknown)' };

/** By the schema's `SpanKind`. */
const KINDS: Readonly<Record<string, Kind>> = {
  llm: { icon: MessageSquareText, label: 'LLM', color: 'var(--color-kind-llm)' },
  chain: { icon: Link2, label: 'Chain', color: 'var(--color-kind-chain)' },
  tool: { icon: Wrench, label: 'Tool', color: 'var(--color-kind-tool)' },
  retriever: { icon: FileSearch, label: 'Retriever', color: 'var(--color-kind-retriever)' },
  embedding: { icon: ChartScatter, label: 'Embedding', color: 'var(--color-kind-embedding)' },
  agent: { icon: Bot, label: 'Agent', color: 'var(--color-kind-agent)' },
  reranker: { icon: ArrowDownWideNarrow, label: 'Reranker', color: 'var(--color-kind-reranker)' },
  guardrail: { icon: ShieldCheck, label: 'Guardrail', color: 'var(--color-kind-guardrail)' },
  evaluator: { icon: Gauge, label: 'Evaluator', color: 'var(--color-kind-evaluator)' },
  prompt: { icon: SquarePen, label: 'Prompt', color: 'var(--color-kind-prompt)' },
  decision: { icon: Split, label: 'Decision', color: 'var(--color-kind-decision)' },
  unknown: UNKNOWN,
};

/** How a kind of span looks: its icon, its name in a text, its colour as a CSS value. */
export function describeKind(kind: string): Kind {
  return KINDS[kind] ?? UNKNOWN;
}

/** A kind of span as its icon; the name in its title and for screen readers. */
export function KindIcon({ kind, size = 15 }: { readonly kind: string; readonly size?: number }) {
  const { icon: Icon, label, color } = describeKind(kind);
  return (
    <span className={styles.icon} style={{ color }} title={label}>
      <Icon size={size} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

/** A kind of span as icon and name. */
export function KindBadge({ kind }: { readonly kind: string }) {
  const { icon: Icon, label, color } = describeKind(kind);
  return (
    <span className={styles.badge} style={{ color }}>
      <Icon size={13} aria-hidden />
      {label}
    </span>
  );
}
