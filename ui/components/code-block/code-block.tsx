import { CopyButton } from '../copy-button.tsx';
import { colourJson } from './colour-json.tsx';
import styles from './code-block.module.css';

/** See {@link CodeBlock}. */
export interface CodeBlockProps {
  readonly text: string;
  /** Names what it is, for the copy button and for screen readers: `arguments`. */
  readonly label: string;
  /** Colours what JSON is made of. */
  readonly isJson?: boolean;
  /** Breaks long lines instead of letting them scroll. */
  readonly wraps?: boolean;
  /** It is there to be copied: the button does not wait for the pointer. */
  readonly isForCopying?: boolean;
}

/** A short piece of code or data as it is, to copy. What can be long is for `LongText` or `JsonView`. */
export function CodeBlock({ text, label, isJson = false, wraps = false, isForCopying = false }: CodeBlockProps) {
  return (
    <div className={styles.block} data-for-copying={isForCopying || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- What scrolls must be within reach of the keyboard. */}
      <pre className={wraps ? styles.wrapped : styles.code} tabIndex={0} role="group" aria-label={label}>
        {isJson ? colourJson(text) : text}
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} className={styles.copy} />
    </div>
  );
}
