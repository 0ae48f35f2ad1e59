import { useId, useState } from 'react';
import { Checkbox } from '#ui/components/checkbox.tsx';
import fieldStyles from '#ui/components/field.module.css';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { PasswordField } from '#ui/components/password-field.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';
import secretStyles from './secret-dialog.module.css';
import { useChangeSecret } from './use-change-secret.ts';

/** See {@link SecretDialog}. */
export interface SecretDialogProps {
  /** The secret that gets another value; absent: a new one. */
  readonly replacedKey?: string;
  /** Keys that a new secret cannot have. */
  readonly takenKeys?: readonly string[];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Sends the value of a secret. It is nowhere on the page once the window has closed. */
export function SecretDialog({ replacedKey, takenKeys = [], onClose, onChanged }: SecretDialogProps) {
  const [key, setKey] = useState(replacedKey ?? '');
  const [value, setValue] = useState('');
  const [hasLines, setHasLines] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const change = useChangeSecret();
  const isNew = replacedKey === undefined;

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const name = key.trim();
    const found = findFault(name, { value, takenKeys: isNew ? takenKeys : [] });
    setFault(found);
    if (found !== undefined) return false;
    await change(name, value);
    setValue('');
    onClose();
    onChanged();
    showToast({ tone: 'success', title: isNew ? `${name} was added` : `The value of ${name} was replaced` });
    return true;
  });

  function type(next: string): void {
    setValue(next);
    setFault(undefined);
  }

  const verb = isNew ? 'Add secret' : 'Replace value';
  const valueError = fault?.field === 'value' ? fault.text : undefined;
  return (
    <FormDialog title={verb} verb={verb} isPending={isPending} onSubmit={onSubmit} onClose={onClose} refusal={refusal}>
      {isNew ? (
        <TextField
          label="Key"
          placeholder="OPENAI_API_KEY"
          autoComplete="off"
          spellCheck="false"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window was opened to fill it in.
          autoFocus
          maxLength={200}
          value={key}
          onChange={(next) => {
            setKey(next);
            setFault(undefined);
          }}
          isInvalid={fault?.field === 'key'}
          error={fault?.text}
          hint="Named like an environment variable, for example OPENAI_API_KEY."
        />
      ) : (
        <p>
          The new value of <code>{replacedKey}</code> takes the place of the stored one, which is lost.
        </p>
      )}
      {hasLines ? (
        <LinesField value={value} onChange={type} error={valueError} />
      ) : (
        <PasswordField
          label="Value"
          value={value}
          onChange={type}
          autoComplete="off"
          isFocused={!isNew}
          error={valueError}
          hint="It is encrypted, and cannot be read here again."
        />
      )}
      <Checkbox isSelected={hasLines} onChange={setHasLines}>
        The value has several lines
      </Checkbox>
    </FormDialog>
  );
}

/** What is wrong with a field. */
interface Fault {
  readonly field: 'key' | 'value';
  readonly text: string;
}

function findFault(
  name: string,
  { value, takenKeys }: { readonly value: string; readonly takenKeys: readonly string[] },
): Fault | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name))
    return { field: 'key', text: 'Use letters, digits and underscores; do not start with a digit.' };
  if (takenKeys.includes(name))
    return { field: 'key', text: 'This key exists already. Replace its value in the list.' };
  return value.trim() === '' ? { field: 'value', text: 'Enter the value.' } : undefined;
}

interface LinesFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A text of several lines, such as a private key, that nobody beside the user can read. */
function LinesField({ value, onChange, error }: LinesFieldProps) {
  const id = useId();
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        Value
      </label>
      <textarea
        id={id}
        className={secretStyles.lines}
        rows={5}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => onChange(target.value)}
      />
      <span id={`${id}-said`} className={error === undefined ? fieldStyles.hint : fieldStyles.error}>
        {error ?? 'It is encrypted, and cannot be read here again.'}
      </span>
    </div>
  );
}
