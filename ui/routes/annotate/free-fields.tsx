import { MAX_NAME_LENGTH } from '#domain/annotation-config';
import { TextField } from '#ui/components/text-field.tsx';
import { useUsedNames } from '#ui/lib/annotation-names.ts';
import styles from './annotate-panel.module.css';
import { Explanation } from './answer-field.tsx';
import { type FreeDraft, freeFaults } from './model/free-answer.ts';
import type { Target } from './model/target.ts';
import { NOTE } from './model/judgements.ts';

interface FreeFieldsProps {
  readonly projectId: string;
  /** What is annotated. */
  readonly kind: Target['kind'];
  readonly draft: FreeDraft;
  /** Names that the project asks for. */
  readonly asked: ReadonlySet<string>;
  readonly onChange: (change: Partial<FreeDraft>) => void;
}

const NONE: readonly string[] = [];

/** A name, and what is said under it. */
export function FreeFields({ projectId, kind, draft, asked, onChange }: FreeFieldsProps) {
  const { names: used = NONE } = useUsedNames(projectId, kind, '');
  const faults = freeFaults(draft, asked);
  return (
    <div className={styles.freeFields}>
      <TextField
        label="Name"
        placeholder="helpfulness"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The form is opened for it, and may have no field before it; or a press asked for it.
        autoFocus
        maxLength={MAX_NAME_LENGTH}
        suggestions={used.filter((name) => name !== NOTE && !asked.has(name))}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        isInvalid={faults.name !== null}
        error={faults.name}
      />
      <div className={styles.pair}>
        <TextField
          label="Label"
          autoComplete="off"
          maxLength={MAX_LABEL_LENGTH}
          value={draft.label ?? ''}
          onChange={(label) => onChange({ label: label === '' ? null : label })}
        />
        <TextField
          label="Score"
          inputMode="decimal"
          autoComplete="off"
          maxLength={40}
          value={draft.scoreText}
          onChange={(scoreText) => onChange({ scoreText })}
          isInvalid={faults.score !== null}
          error={faults.score}
        />
      </div>
      <Explanation name="the annotation" draft={draft} onChange={onChange} />
    </div>
  );
}

const MAX_LABEL_LENGTH = 1000;
