import { Plus, X } from 'lucide-react';
import { type ConfigFault, MAX_LABEL_LENGTH, MAX_VALUES } from '#domain/annotation-config';
import { Button, IconButton } from '#ui/components/button.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { type ValueText, withValue } from './config-form.ts';
import styles from './config-dialog.module.css';

interface ValueFieldsProps {
  readonly values: readonly ValueText[];
  readonly faults: readonly ConfigFault[];
  readonly onChange: (values: readonly ValueText[]) => void;
}

/** The labels of a categorical config, with their scores. */
export function ValueFields({ values, faults, onChange }: ValueFieldsProps) {
  const ofAll = faults.find(({ field, index }) => field === 'values' && index === undefined);
  const change = (id: number, next: Partial<ValueText>) =>
    onChange(values.map((value) => (value.id === id ? { ...value, ...next } : value)));
  return (
    <fieldset className={styles.values}>
      <legend className={styles.legend}>Labels, each with a score if it has one</legend>
      {values.map(({ id, label, score }, index) => {
        const fault = faults.find((one) => one.field === 'values' && one.index === index);
        const isScore = fault !== undefined && score.trim() !== '' && Number.isNaN(Number(score));
        return (
          <div key={id} className={styles.value}>
            <TextField
              label={`Label ${index + 1}`}
              isLabelHidden
              placeholder="Label"
              autoComplete="off"
              maxLength={MAX_LABEL_LENGTH}
              value={label}
              onChange={(next) => change(id, { label: next })}
              isInvalid={fault !== undefined && !isScore}
              error={fault?.message}
            />
            <TextField
              label={`Score ${index + 1}`}
              isLabelHidden
              placeholder="Score"
              inputMode="decimal"
              autoComplete="off"
              value={score}
              onChange={(next) => change(id, { score: next })}
              isInvalid={isScore}
              error={fault?.message}
            />
            <IconButton
              icon={X}
              label={`Remove label ${index + 1}`}
              onPress={() => onChange(values.filter((value) => value.id !== id))}
            />
          </div>
        );
      })}
      {ofAll !== undefined && (
        <p role="alert" className={styles.error}>
          {ofAll.message}
        </p>
      )}
      <Button
        size="sm"
        icon={Plus}
        isDisabled={values.length >= MAX_VALUES}
        onPress={() => onChange(withValue(values))}
        className={styles.start}
      >
        Add label
      </Button>
    </fieldset>
  );
}
