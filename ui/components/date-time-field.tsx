import { useId } from 'react';
import styles from './field.module.css';

/** See {@link DateTimeField}. */
export interface DateTimeFieldProps {
  /** Says of which time zone it is. */
  readonly label: string;
  /** `YYYY-MM-DDTHH:mm`; empty while it is incomplete. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid?: boolean;
}

/** A date and a time of day, to the minute. */
export function DateTimeField({ label, value, onChange, isInvalid = false }: DateTimeFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <span className={styles.box}>
        <input
          id={id}
          className={styles.input}
          type="datetime-local"
          value={value}
          aria-invalid={isInvalid}
          data-invalid={isInvalid || undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
    </div>
  );
}
