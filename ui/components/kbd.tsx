import { formatChord, isAppleKeyboard, parseKeys } from '#ui/lib/shortcut-keys.ts';
import styles from './kbd.module.css';

/** A shortcut as the keys of this keyboard: `mod+K`. */
export function Kbd({ keys }: { readonly keys: string }) {
  const isApple = isAppleKeyboard();
  return (
    <span className={styles.keys}>
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
