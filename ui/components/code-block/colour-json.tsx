import type { ReactNode } from 'react';
import styles from './code-block.module.css';

/** Keys, texts, numbers and constants; what stands between them as it is. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** JSON in the colours of what it is made of. */
export function colourJson(text: string): readonly ReactNode[] {
  const pieces: ReactNode[] = [];
  let shown = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [, quoted, colon, number] = match;
    const token = quoted ?? match[0];
    const kind =
      quoted !== undefined ? (colon === undefined ? 'text' : 'key') : number === undefined ? 'constant' : 'number';
    pieces.push(
      text.slice(shown, match.index),
      <span key={match.index} className={styles[kind]}>
        {token}
      </span>,
    );
    shown = match.index + token.length;
  }
  return [...pieces, text.slice(shown)];
}
