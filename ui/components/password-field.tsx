import { Eye, EyeOff } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import fieldStyles from './field.module.css';
import styles from './password-field.module.css';

/** See {@link PasswordField}. */
export interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What a password manager takes it for; `off` for what is no password, such as a secret. */
  readonly autoComplete: 'current-password' | 'new-password' | 'off';
  /** Said below the field. */
  readonly hint?: string | undefined;
  /** What is wrong and how to mend it. */
  readonly error?: string | undefined;
  readonly isFocused?: boolean;
}

/** A line of text that nobody beside the user can read, unless the user wants to see it. Of plain elements: sign-in pages are light. */
export function PasswordField({ label, value, onChange, autoComplete, hint, error, isFocused }: PasswordFieldProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const [isCapsLocked, setIsCapsLocked] = useState(false);
  const noteCapsLock = (event: KeyboardEvent) => setIsCapsLocked(event.getModifierState('CapsLock'));
  const Icon = isShown ? EyeOff : Eye;
  const toggle = `${isShown ? 'Hide' : 'Show'} “${label}”`;
  const isInvalid = error !== undefined;
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <span className={fieldStyles.box}>
        <input
          id={id}
          className={fieldStyles.input}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- Only where the page asks for nothing before it.
          autoFocus={isFocused}
          value={value}
          aria-invalid={isInvalid}
          data-invalid={isInvalid || undefined}
          aria-describedby={`${id}-said`}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={noteCapsLock}
          onKeyUp={noteCapsLock}
          onBlur={() => setIsCapsLocked(false)}
        />
        <button
          type="button"
          className={styles.toggle}
          aria-label={toggle}
          title={toggle}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon size={15} aria-hidden />
        </button>
      </span>
      <span id={`${id}-said`} className={styles.said}>
        {isInvalid && <span className={fieldStyles.error}>{error}</span>}
        {!isInvalid && hint !== undefined && <span className={fieldStyles.hint}>{hint}</span>}
        {isCapsLocked && <output className={styles.capsLock}>Caps Lock is on.</output>}
      </span>
    </div>
  );
}
