import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { Panel } from '#ui/components/panel.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './details-panel.module.css';

/** See {@link DetailsPanel}. */
export interface DetailsPanelProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly title: ReactNode;
  /** Address of the table that it stands beside. */
  readonly table: '/settings/users' | '/settings/audit-log' | '/settings/models' | '/settings/data';
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A row of a table in full, beside the table. */
export function DetailsPanel({ label, title, table, actions, children }: DetailsPanelProps) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: table, search: (before) => before });
  useShortcuts('Panel', [{ keys: 'Escape', label: 'Close the panel', run: close }]);
  return (
    <Panel label={label} className={styles.panel}>
      <header className={styles.header}>
        <h2 className={styles.title}>{title}</h2>
        {actions}
        <IconButton icon={X} size="sm" label="Close" shortcut="Escape" onPress={close} />
      </header>
      <div className={styles.body}>{children}</div>
    </Panel>
  );
}

/** Facts of a {@link DetailsPanel}: {@link DetailsFact} inside. */
export function DetailsFacts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** Links of a {@link DetailsPanel} that lead on from it. */
export function DetailsWays({ children }: { readonly children: ReactNode }) {
  return <div className={styles.ways}>{children}</div>;
}

/** One of the facts. */
export function DetailsFact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
