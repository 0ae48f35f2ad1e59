import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import type { Tone } from './badge.tsx';
import { Button, IconButton } from './button.tsx';
import { Kbd } from './kbd.tsx';
import styles from './toast.module.css';

/** See {@link showToast}. */
export interface Toast {
  readonly tone: Exclude<Tone, 'neutral' | 'accent'>;
  readonly title: string;
  readonly description?: string | undefined;
  readonly action?: ToastAction | undefined;
  /** How long it stays, also with an action; not while the pointer or the keyboard is on it. */
  readonly lastsMs?: number | undefined;
  /** Called once, when the toast goes without its action: its time is over, it was closed, or others took its place. */
  readonly onGone?: (() => void) | undefined;
}

/** The button of a toast. */
export interface ToastAction {
  readonly label: string;
  /** Does the same while the toast stands: `Shift+U`. */
  readonly shortcut?: string | undefined;
  readonly onPress: () => void;
}

/** A toast that is shown. */
export interface ToastHandle {
  /** Takes it away as its action does: `onGone` is not called. */
  readonly withdraw: () => void;
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
export function showToast(toast: Toast): ToastHandle {
  nextId += 1;
  const shown = { ...toast, id: nextId };
  const displaced = toasts.slice(0, Math.max(0, toasts.length + 1 - MAX_TOASTS));
  publish([...toasts.slice(displaced.length), shown]);
  for (const { onGone } of displaced) onGone?.();
  return { withdraw: () => withdraw(shown.id) };
}

/** Where toasts appear; once on a page. */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const region = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Wide windows leave this room free, so that nothing of them is covered.
    const height = shown.length === 0 ? 0 : (region.current?.offsetHeight ?? 0);
    document.documentElement.style.setProperty('--toasts-height', `${height}px`);
  }, [shown]);
  return (
    // Above open dialogs, for screen readers as well.
    <section
      ref={region}
      className={styles.region}
      aria-label="Notifications"
      aria-live="polite"
      data-react-aria-top-layer
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { readonly toast: ShownToast }) {
  const { id, tone, title, description, action, lastsMs } = toast;
  const [isHeld, setIsHeld] = useState(false);
  const shownMs = lastsMs ?? (tone === 'danger' || action !== undefined ? undefined : SHOWN_MS);
  useEffect(() => {
    if (isHeld || shownMs === undefined) return undefined;
    const timer = setTimeout(() => close(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, shownMs]);
  const act = () => {
    withdraw(id);
    action?.onPress();
  };
  useShortcuts(
    'Notifications',
    action?.shortcut === undefined ? [] : [{ keys: action.shortcut, label: action.label, run: act }],
  );
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
          <Button size="sm" className={styles.action} onPress={act}>
            {action.label}
            {action.shortcut !== undefined && <Kbd keys={action.shortcut} />}
          </Button>
        )}
      </div>
      <IconButton icon={X} label="Close" size="sm" onPress={() => close(id)} />
    </div>
  );
}

function close(id: number): void {
  const closed = toasts.find((toast) => toast.id === id);
  withdraw(id);
  closed?.onGone?.();
}

function withdraw(id: number): void {
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
