import { useId } from 'react';
import fieldStyles from '#ui/components/field.module.css';

interface EmailFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isFocused?: boolean;
}

/** The email address, or another name, by which an account is known. */
export function EmailField({ label = 'Email', value, onChange, isFocused }: EmailFieldProps) {
  const id = useId();
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <span className={fieldStyles.box}>
        <input
          id={id}
          className={fieldStyles.input}
          // Not `email`: the server takes addresses that browsers refuse, such as admin@localhost with spaces around it.
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The page asks for it first.
          autoFocus={isFocused}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
    </div>
  );
}
