/** Shortcuts of what is on the screen: a component binds its own while it stands, and the panel lists what is bound. */
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { type Chord, isAppleKeyboard, isChord, parseKeys } from './shortcut-keys.ts';

/** One shortcut. */
export interface Shortcut {
  /** `mod+K`, `j`, `Shift+Enter`; with a space between keys that are pressed one after the other: `g p`. */
  readonly keys: string;
  /** What it does, as the panel says it: `Next trace`. */
  readonly label: string;
  /** Absent where the part of the screen that has the focus takes the key itself. */
  readonly run?: () => void;
}

/** The shortcuts of one part of the screen. */
export interface ShortcutScope {
  /** Heading in the panel. */
  readonly scope: string;
  readonly shortcuts: readonly Shortcut[];
}

/** The part of the screen that is always there. */
export const EVERYWHERE = 'Everywhere';

interface Binding {
  current: ShortcutScope;
}

/** After this long the first key of two is forgotten. */
const SEQUENCE_TIMEOUT_MS = 1000;

/** The latest bound comes last and wins. */
let bindings: readonly Binding[] = [];
let snapshot: readonly ShortcutScope[] = [];
const listeners = new Set<() => void>();
let pressed: readonly Chord[] = [];
let pressedAtMs = 0;

/** Lists shortcuts while the component stands, and binds those that run; those of a component that came later win. Letters do nothing while somebody types. */
export function useShortcuts(scope: string, shortcuts: readonly Shortcut[]): void {
  const binding = useRef<Binding>({ current: { scope, shortcuts } });
  const labels = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  // Before anything is painted: a key that is pressed on sight of a page must find what it does.
  useLayoutEffect(() => {
    binding.current.current = { scope, shortcuts };
  });
  useLayoutEffect(() => {
    const own = binding.current;
    if (bindings.length === 0) window.addEventListener('keydown', onKeyDown);
    bindings = [...bindings, own];
    publish();
    return () => {
      bindings = bindings.filter((other) => other !== own);
      if (bindings.length === 0) window.removeEventListener('keydown', onKeyDown);
      publish();
    };
  }, []);
  useEffect(publish, [scope, labels]);
}

/** Every shortcut that is bound now, by part of the screen, the innermost first. */
export function useBoundShortcuts(): readonly ShortcutScope[] {
  return useSyncExternalStore(subscribe, () => snapshot);
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

function publish(): void {
  snapshot = joinScopes(bindings.map(({ current }) => current));
  for (const listener of listeners) listener();
}

/** Parts of the screen that several components bind, as one each. */
export function joinScopes(scopes: readonly ShortcutScope[]): readonly ShortcutScope[] {
  const joined = Map.groupBy(scopes, ({ scope }) => scope);
  return [...joined]
    .map(([scope, parts]) => ({ scope, shortcuts: withoutRepeats(parts.flatMap(({ shortcuts }) => shortcuts)) }))
    .filter(({ shortcuts }) => shortcuts.length > 0);
}

/** What several of a kind bind, as lists that stand below each other, is one line. */
function withoutRepeats(shortcuts: readonly Shortcut[]): readonly Shortcut[] {
  const firsts = new Map<string, Shortcut>();
  for (const shortcut of shortcuts) {
    const key = `${shortcut.keys}\n${shortcut.label}`;
    if (!firsts.has(key)) firsts.set(key, shortcut);
  }
  return [...firsts.values()];
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
  const isApple = isAppleKeyboard();
  const isWithMod = event.metaKey || event.ctrlKey;
  if (!isWithMod && takesKeys(event.target)) return;
  if (document.querySelector('[data-modal]') !== null) return;
  const earlier = event.timeStamp - pressedAtMs < SEQUENCE_TIMEOUT_MS ? pressed : [];
  pressed = [];
  let isBeginning: Chord | undefined;
  for (const { current } of bindings.toReversed()) {
    for (const shortcut of current.shortcuts) {
      if (shortcut.run === undefined) continue;
      const chords = parseKeys(shortcut.keys);
      const [first, second] = chords;
      if (first === undefined) continue;
      const last = second ?? first;
      if (!isChord(last, event, isApple)) {
        if (second !== undefined && isChord(first, event, isApple)) isBeginning = first;
        continue;
      }
      if (second !== undefined && !earlier.some(({ key }) => key === first.key)) continue;
      event.preventDefault();
      shortcut.run();
      return;
    }
  }
  if (isBeginning !== undefined) {
    pressed = [isBeginning];
    pressedAtMs = event.timeStamp;
  }
}

/** Where a letter means itself: fields, and lists that jump to what begins with it. */
function takesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type=checkbox], [type=radio], [type=range]), textarea, select') !== null ||
      target.closest('[role=menu], [role=listbox], [role=combobox]') !== null)
  );
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta';
}
