import { isPlainText, splitHidden } from '#ui/lib/hidden-characters.ts';
import styles from './name.module.css';

/** A name that came from outside: it reorders nothing beside it, and what cannot be seen in it has a mark. */
export function Name({ children: text }: { readonly children: string }) {
  if (isPlainText(text)) return text;
  return (
    <bdi>
      {splitHidden(text).map((piece, index) =>
        piece.meaning === undefined ? (
          piece.text
        ) : (
          <span key={index} className={styles.mark} title={piece.meaning}>
            {piece.text}
          </span>
        ),
      )}
    </bdi>
  );
}
