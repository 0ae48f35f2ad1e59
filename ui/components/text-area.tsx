import type { Ref } from 'react';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import styles from './field.module.css';
import areaStyles from './text-area.module.css';

/** See {@link TextArea}. */
export interface TextAreaProps {
  readonly label: string;
  /** The label is for screen readers alone. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** Said below the field. */
  readonly hint?: string;
  /** Takes the focus when it appears. */
  readonly hasFocusAtFirst?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** A text of several lines with its label. */
export function TextArea({ label, value, onChange, rows = 4, placeholder, maxLength, hint, ...more }: TextAreaProps) {
  const { isLabelHidden = false, hasFocusAtFirst = false, ref } = more;
  return (
    <AriaTextField
      className={styles.field}
      {...(isLabelHidden && { 'aria-label': label })}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- The user has just asked for this field.
      autoFocus={hasFocusAtFirst}
      value={value}
      onChange={onChange}
      {...(maxLength !== undefined && { maxLength })}
    >
      {!isLabelHidden && <Label className={styles.label}>{label}</Label>}
      <AriaTextArea
        {...(ref !== undefined && { ref })}
        className={areaStyles.area}
        rows={rows}
        {...(placeholder !== undefined && { placeholder })}
      />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
    </AriaTextField>
  );
}
