import { useState } from 'react';
import type { JsonValue } from '#base/json';
import { formatExact } from '#ui/lib/format.ts';
import { CopyButton } from '../copy-button.tsx';
import { formatJson, type JsonPiece } from '../json-view/format-json.ts';
import styles from './code-block.module.css';
import { colourJson } from './colour-json.tsx';

/** See {@link JsonBlock}. */
export interface JsonBlockProps {
  readonly value: JsonValue;
  /** The value as `formatJsonPieces` divides it. */
  readonly pieces: readonly JsonPiece[];
  /** Names what it is, for the copy button and for screen readers: `arguments`. */
  readonly label: string;
}

/** A little JSON, in which a text of several lines shows its lines. What is copied is the JSON itself. */
export function JsonBlock({ value, pieces, label }: JsonBlockProps) {
  return (
    <div className={styles.block}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- What scrolls must be within reach of the keyboard. */}
      <div className={styles.pieces} tabIndex={0} role="group" aria-label={label}>
        {pieces.map((piece, index) =>
          piece.type === 'json' ? (
            <pre key={index} className={styles.piece}>
              {colourJson(piece.text)}
            </pre>
          ) : (
            <Lines key={index} {...piece} />
          ),
        )}
      </div>
      <CopyButton text={() => formatJson(value)} label={`Copy ${label}`} className={styles.copy} />
    </div>
  );
}

/** So many lines are shown at first; a few more are not worth a button. */
const FIRST_LINES = 16;
const SLACK_LINES = 4;

function Lines({ text, indent }: { readonly text: string; readonly indent: number }) {
  const count = text.split('\n').length;
  const isLong = count > FIRST_LINES + SLACK_LINES;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.lines} style={{ marginInlineStart: `${indent}ch` }}>
      <pre className={styles.linesText} data-clipped={(isLong && !isOpen) || undefined}>
        {text}
      </pre>
      {isLong && (
        <button type="button" className={styles.allLines} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${formatExact(count)} lines`}
        </button>
      )}
    </div>
  );
}
