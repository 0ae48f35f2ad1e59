import { useId, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Button } from '#ui/components/button.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import { TextArea } from '#ui/components/text-area.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import styles from './answer-field.module.css';
import { type AnswerField, type Draft, scoreFault, withLabel } from './model/answers.ts';

/** Choices that have a key. */
export const KEYED_CHOICES = 9;

/** See {@link AnswerFieldView}. */
export interface AnswerFieldProps {
  readonly field: AnswerField;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Whether the number keys choose here. */
  readonly isActive: boolean;
  readonly onActivate: () => void;
}

/** What may be said under one name. */
export function AnswerFieldView({ field, draft, onChange, isActive, onActivate }: AnswerFieldProps) {
  const nameId = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Whatever inside takes the focus makes it active.
    <fieldset
      className={styles.field}
      aria-labelledby={nameId}
      data-active={isActive || undefined}
      data-answer-field
      onFocus={onActivate}
    >
      <div id={nameId} className={styles.name}>
        {field.name}
      </div>
      {field.description !== null && field.description !== '' && (
        <p className={styles.description}>{field.description}</p>
      )}
      {field.kind === 'categorical' && <Labels field={field} draft={draft} onChange={onChange} hasKeys={isActive} />}
      {field.kind === 'continuous' && <Score field={field} draft={draft} onChange={onChange} />}
      {field.kind === 'freeform' ? (
        <TextArea
          label={`What to say of ${field.name}`}
          isLabelHidden
          rows={3}
          maxLength={MAX_TEXT}
          value={draft.explanation}
          onChange={(explanation) => onChange({ ...draft, explanation })}
        />
      ) : (
        <Explanation name={field.name} draft={draft} onChange={onChange} />
      )}
    </fieldset>
  );
}

/** As the server accepts. */
const MAX_TEXT = 65_536;

interface LabelsProps extends Pick<AnswerFieldProps, 'draft' | 'onChange'> {
  readonly field: AnswerField & { readonly kind: 'categorical' };
  readonly hasKeys: boolean;
}

function Labels({ field, draft, onChange, hasKeys }: LabelsProps) {
  return (
    <ToggleButtonGroup
      aria-label={field.name}
      selectionMode="single"
      selectedKeys={draft.label === null ? [] : [draft.label]}
      onSelectionChange={([label]) => onChange(withLabel(field, draft, label === undefined ? null : String(label)))}
      className={styles.labels ?? ''}
    >
      {field.values.map(({ label, score }, place) => (
        <ToggleButton key={label} id={label} className={styles.label ?? ''}>
          {hasKeys && place < KEYED_CHOICES && (
            <span aria-hidden>
              <Kbd keys={String(place + 1)} />
            </span>
          )}
          <span className={styles.labelText}>{label}</span>
          {score !== null && <span className={styles.labelScore}>{score}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface ScoreProps extends Pick<AnswerFieldProps, 'draft' | 'onChange'> {
  readonly field: AnswerField & { readonly kind: 'continuous' };
}

function Score({ field, draft, onChange }: ScoreProps) {
  const fault = scoreFault(field, draft);
  const { lowerBound: low, upperBound: high } = field;
  return (
    <TextField
      label={low === null && high === null ? 'Score' : `Score, ${low ?? '…'} to ${high ?? '…'}`}
      inputMode="decimal"
      maxLength={40}
      value={draft.scoreText}
      onChange={(scoreText) => onChange({ ...draft, scoreText })}
      isInvalid={fault !== null}
      error={fault}
    />
  );
}

/** A field that comes when it is asked for. */
export function Explanation({
  name,
  draft,
  onChange,
}: { readonly name: string } & Pick<AnswerFieldProps, 'draft' | 'onChange'>) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen && draft.explanation === '') {
    return (
      <Button
        variant="ghost"
        size="sm"
        className={styles.more}
        aria-label={`Explain ${name}`}
        onPress={() => setIsOpen(true)}
      >
        Explain
      </Button>
    );
  }
  return (
    <TextArea
      label="Explanation"
      rows={2}
      maxLength={MAX_TEXT}
      hasFocusAtFirst={isOpen}
      value={draft.explanation}
      onChange={(explanation) => onChange({ ...draft, explanation })}
    />
  );
}
