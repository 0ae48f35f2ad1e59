import { Dialog } from '#ui/components/dialog.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import { EVERYWHERE, useBoundShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './shortcuts-dialog.module.css';

/** See {@link ShortcutsDialog}. */
export interface ShortcutsDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Every shortcut of the screen that is shown, from the table that binds them. */
export function ShortcutsDialog({ isOpen, onOpenChange }: ShortcutsDialogProps) {
  const bound = useBoundShortcuts();
  // What holds everywhere comes last.
  const scopes = bound.toSorted((one, other) => Number(one.scope === EVERYWHERE) - Number(other.scope === EVERYWHERE));
  return (
    <Dialog title="Shortcuts" size="lg" isOpen={isOpen} onOpenChange={onOpenChange}>
      <div className={styles.scopes}>
        {scopes.map(({ scope, shortcuts }) => (
          <section key={scope} className={styles.scope}>
            <h3 className={styles.heading}>{scope}</h3>
            <dl>
              {[...Map.groupBy(shortcuts, ({ label }) => label)].map(([label, ways]) => (
                <div key={label} className={styles.shortcut}>
                  <dt>{label}</dt>
                  <dd className={styles.ways}>
                    {ways.map(({ keys }) => (
                      <Kbd key={keys} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
