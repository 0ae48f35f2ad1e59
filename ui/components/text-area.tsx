import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import styles from './field.module.css';
import areaStyles from './text-area.module.css';

/** See {@link TextArea}. */
export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** Said below the field. */
  readonly hint?: string;
}

/** A text of several lines with its label. */
export function TextArea({ label, value, onChange, rows = 4, placeholder, maxLength, hint }: TextAreaProps) {
  return (
    <AriaTextField
      className={styles.field}
      value={value}
      onChange={onChange}
      {...(maxLength !== undefined && { maxLength })}
    >
      <Label className={styles.label}>{label}</Label>
      <AriaTextArea className={areaStyles.area} rows={rows} {...(placeholder !== undefined && { placeholder })} />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
    </AriaTextField>
  );
}
