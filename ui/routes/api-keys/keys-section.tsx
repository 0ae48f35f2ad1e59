import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import type { KeyKind, ShownKey } from './api-key.ts';
import { DeleteKey } from './delete-key.tsx';
import { KeyTable } from './key-table.tsx';
import styles from './keys-section.module.css';
import { NewKeyDialog } from './new-key-dialog.tsx';

/** See {@link KeysSection}. */
export interface KeysSectionProps {
  readonly title: string;
  /** Says what these keys are. */
  readonly children: ReactNode;
  readonly kind: KeyKind;
  /** Undefined until they are known. */
  readonly keys: readonly ShownKey[] | undefined;
  readonly error: Error | undefined;
  /** Reads them again. */
  readonly onChange: () => void;
  readonly personHeader?: string;
  /** Whether this is the place where such a key is created. */
  readonly canCreate: boolean;
  /** What is said where there are none. */
  readonly emptyTitle: string;
}

/** Keys of one kind, with what can be done about them. */
export function KeysSection(props: KeysSectionProps) {
  const { title, children, kind, keys, error, onChange, personHeader, canCreate, emptyTitle } = props;
  const headingId = useId();
  const [isCreating, setIsCreating] = useState(false);
  const [deleted, setDeleted] = useState<ShownKey>();
  const create = (
    <Button icon={Plus} onPress={() => setIsCreating(true)}>
      {kind === 'system' ? 'New system key' : 'New API key'}
    </Button>
  );
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <header className={styles.header}>
        <div className={styles.said}>
          <h2 id={headingId} className={styles.title}>
            {title}
          </h2>
          <p className={styles.lead}>{children}</p>
        </div>
        {canCreate && create}
      </header>
      {keys === undefined && error === undefined && <Skeleton lines={3} height={16} />}
      {error !== undefined && <ErrorState title="The keys could not be loaded" error={error} onRetry={onChange} />}
      {keys?.length === 0 && (
        <div className={styles.empty}>
          <EmptyState icon={KeyRound} title={emptyTitle} />
        </div>
      )}
      {keys !== undefined && keys.length > 0 && (
        <KeyTable label={title} keys={keys} personHeader={personHeader} onDelete={setDeleted} />
      )}
      {isCreating && <NewKeyDialog kind={kind} onCreated={onChange} onClose={() => setIsCreating(false)} />}
      {deleted !== undefined && (
        <DeleteKey kind={kind} shown={deleted} onDeleted={onChange} onClose={() => setDeleted(undefined)} />
      )}
    </section>
  );
}
