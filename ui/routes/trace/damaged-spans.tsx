import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { Name } from '#ui/components/name.tsx';
import { formatExact } from '#ui/lib/format.ts';
import styles from './damaged-spans.module.css';
import type { DamagedSpans } from './use-damaged-spans.ts';

/** Says which spans of a trace are damaged, and on request what is lost of each and what can be done. There is one at least. */
export function DamagedSpansNotice({ damaged }: { readonly damaged: DamagedSpans }) {
  const [isOpen, setIsOpen] = useState(false);
  const { spans, searchedCount, isWhole } = damaged;
  const count = spans.length === 1 ? '1 span is' : `${formatExact(spans.length)} spans are`;
  return (
    <>
      <span className={styles.notice}>
        <span className={styles.text}>
          {isWhole ? count : `At least ${count}`} damaged on disk. The stored original cannot be read; the rest of the
          trace is whole.
        </span>
        <Button size="sm" onPress={() => setIsOpen(true)}>
          Show damaged spans
        </Button>
      </span>
      <Dialog title="Damaged spans" isOpen={isOpen} onOpenChange={setIsOpen} size="lg">
        <p className={styles.advice}>
          Send these spans again: that replaces what is damaged. If nobody has them, restore a backup with{' '}
          <code>cairn db restore</code>. Check the disk, and run <code>cairn doctor --verify</code>, which finds other
          damage. The section “Damage” of <code>docs/reliability.md</code> describes these commands.
        </p>
        {!isWhole && (
          <p className={styles.advice}>Only the first {formatExact(searchedCount)} spans of this trace were checked.</p>
        )}
        <ul className={styles.list}>
          {spans.map(({ spanNodeId, spanId, name, damage }) => (
            <li key={spanId}>
              {spanNodeId == null ? (
                <Name>{`span ${spanId}`}</Name>
              ) : (
                <Link
                  to="."
                  search={(before) => ({ ...before, selectedSpanNodeId: spanNodeId })}
                  onClick={() => setIsOpen(false)}
                >
                  <Name>{name || `span ${spanId}`}</Name>
                </Link>
              )}
              <p className={styles.damage}>{damage}</p>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
