/** Reading and matching of shortcuts written as `mod+K`, `j`, `Shift+Enter` or, one key after the other, `g p`. */

/** One key with what is held down. */
export interface Chord {
  /** As `KeyboardEvent.key` has it, letters small. */
  readonly key: string;
  /** ⌘ on Apple's keyboards, Ctrl on others. */
  readonly isMod: boolean;
  readonly isShift: boolean;
  readonly isAlt: boolean;
}

/** The parts of a key press that count. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;

/** The chords of a shortcut, in their order. */
export function parseKeys(keys: string): readonly Chord[] {
  return keys.split(' ').map((text) => {
    const [, held = '', key = ''] = CHORD.exec(text) ?? [];
    const modifiers = held.split('+');
    return {
      key: key.length === 1 ? key.toLowerCase() : key,
      isMod: modifiers.includes('mod'),
      isShift: modifiers.includes('Shift'),
      isAlt: modifiers.includes('Alt'),
    };
  });
}

/** What is held, and the key, which may be the plus itself. */
const CHORD = /^(?:(.*)\+)?(.+)$/;

/** Whether a key press is this chord. Shift does not count where it only makes the character, as in `?`. */
export function isChord(chord: Chord, event: KeyPress, isApple: boolean): boolean {
  const isModHeld = isApple ? event.metaKey : event.ctrlKey;
  const isOtherHeld = isApple ? event.ctrlKey : event.metaKey;
  const isLetterOrName = chord.key.length > 1 || /[a-z]/.test(chord.key);
  return (
    chord.key === (event.key.length === 1 ? event.key.toLowerCase() : event.key) &&
    chord.isMod === isModHeld &&
    !isOtherHeld &&
    chord.isAlt === event.altKey &&
    (!isLetterOrName || chord.isShift === event.shiftKey)
  );
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
};

/** The keys of one chord as they are printed on this keyboard. */
export function formatChord(chord: Chord, isApple: boolean): readonly string[] {
  return [
    ...(chord.isMod ? [isApple ? '⌘' : 'Ctrl'] : []),
    ...(chord.isAlt ? [isApple ? '⌥' : 'Alt'] : []),
    ...(chord.isShift ? [isApple ? '⇧' : 'Shift'] : []),
    chord.key.length === 1 ? chord.key.toUpperCase() : (KEY_NAMES[chord.key] ?? chord.key),
  ];
}

/** Whether this is one of Apple's keyboards. */
export function isAppleKeyboard(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
