import { useEffect, useRef } from 'react';
import type { Suggestion } from '#filter/completion/suggestion';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './suggestion-list.module.css';

/** What can be chosen: something to write, a whole filter to write, or one to apply. */
export type Choice =
  | Suggestion
  | {
      readonly kind: 'last' | 'common';
      readonly label: string;
      readonly detail: string;
      readonly filter: string;
    };

/** What can be written, below the field that keeps the focus. */
export function SuggestionList(props: {
  readonly id: string;
  readonly choices: readonly Choice[];
  /** Place of the one that Enter takes; -1: none. */
  readonly active: number;
  readonly onChoose: (choice: Choice) => void;
}) {
  const { id, choices, active, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A list that opens while text is being written has no element of its own.
    <div ref={list} id={id} role="listbox" aria-label="Suggestions" className={styles.list}>
      {choices.map((choice, place) => (
        <div
          key={`${choice.kind} ${choice.label}`}
          id={`${id}-${place}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- The field has the focus and the keys.
          role="option"
          aria-selected={place === active}
          className={choice.kind === 'common' ? classNames(styles.item, styles.common) : styles.item}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(choice);
          }}
        >
          <span className={styles.label}>{choice.label}</span>
          <span className={styles.detail}>{choice.detail}</span>
          {'description' in choice && <span className={styles.description}>{choice.description}</span>}
        </div>
      ))}
    </div>
  );
}
