import { type ReactNode, useId } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './field.module.css';

/** See {@link TextField}. */
export interface TextFieldProps extends Omit<AriaTextFieldProps, 'children' | 'className' | 'style'> {
  readonly label: string;
  /** The label is for screen readers alone. */
  readonly isLabelHidden?: boolean;
  readonly placeholder?: string;
  /** What the browser offers to complete; anything else can be typed, too. */
  readonly suggestions?: readonly string[];
  /** Said below the field. */
  readonly hint?: string | undefined;
  /** What is wrong and how to mend it; needs `isInvalid`. */
  readonly error?: ReactNode;
  readonly className?: string | undefined;
}

/** A line of text with its label. */
export function TextField({
  label,
  isLabelHidden = false,
  placeholder,
  suggestions = NONE,
  hint,
  error,
  className,
  ...props
}: TextFieldProps) {
  const listId = useId();
  return (
    <AriaTextField
      {...props}
      {...(isLabelHidden && { 'aria-label': label })}
      className={classNames(styles.field, className)}
    >
      {!isLabelHidden && <Label className={styles.label}>{label}</Label>}
      <span className={styles.box}>
        <Input
          className={styles.input}
          {...(placeholder !== undefined && { placeholder })}
          {...(suggestions.length > 0 && { list: listId })}
        />
      </span>
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion}>{suggestion}</option>
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </AriaTextField>
  );
}

const NONE: readonly string[] = [];
