import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import type { Tone } from './badge.tsx';
import { Button, IconButton } from './button.tsx';
import styles from './toast.module.css';

/** See {@link showToast}. */
export interface Toast {
  readonly tone: Exclude<Tone, 'neutral' | 'accent'>;
  readonly title: string;
  readonly description?: string | undefined;
  readonly action?: { readonly label: string; readonly onPress: () => void } | undefined;
}

interface ShownToast extends Toast {
  readonly id: number;
}

const SHOWN_MS = 6000;
const MAX_TOASTS = 4;

const ICONS: Readonly<Record<Toast['tone'], LucideIcon>> = {
  danger: TriangleAlert,
  warning: CircleAlert,
  success: CircleCheck,
  info: Info,
};

let toasts: readonly ShownToast[] = [];
let nextId = 0;
const listeners = new Set<() => void>();

/** Says that something happened which cannot be seen where it did. Errors and what can be acted on stay until they are closed. */
export function showToast(toast: Toast): void {
  nextId += 1;
  publish([...toasts.slice(1 - MAX_TOASTS), { ...toast, id: nextId }]);
}

/** Where toasts appear; once on a page. */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    // Above open dialogs, for screen readers as well.
    <section className={styles.region} aria-label="Notifications" aria-live="polite" data-react-aria-top-layer>
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { readonly toast: ShownToast }) {
  const { id, tone, title, description, action } = toast;
  const [isHeld, setIsHeld] = useState(false);
  const stays = isHeld || tone === 'danger' || action !== undefined;
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, stays]);
  const Icon = ICONS[tone];
  return (
    <div
      className={styles.toast}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon size={16} aria-hidden className={classNames(styles.icon, styles[tone])} />
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {description !== undefined && <p className={styles.description}>{description}</p>}
        {action !== undefined && (
          <Button
            size="sm"
            className={styles.action}
            onPress={() => {
              close(id);
              action.onPress();
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <IconButton icon={X} label="Close" size="sm" onPress={() => close(id)} />
    </div>
  );
}

function close(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

function publish(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
