import { formatChord, isAppleKeyboard, parseKeys } from '#ui/lib/shortcut-keys.ts';
import styles from './kbd.module.css';

/** See {@link Kbd}. */
export interface KbdProps {
  readonly keys: string;
  /** A hint at the end of a line, which is left out where the screen is touched. */
  readonly isHint?: boolean;
}

/** A shortcut as the keys of this keyboard: `mod+K`. */
export function Kbd({ keys, isHint = false }: KbdProps) {
  const isApple = isAppleKeyboard();
  return (
    <span className={styles.keys} data-hint={isHint || undefined}>
      {parseKeys(keys)
        .flatMap((chord) => formatChord(chord, isApple))
        .map((key) => (
          <kbd key={key} className={styles.key}>
            {key}
          </kbd>
        ))}
    </span>
  );
}
