import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { classNames } from '#ui/lib/class-names.ts';
import { Kbd } from './kbd.tsx';
import fieldStyles from './field.module.css';
import styles from './search-field.module.css';

/** See {@link SearchField}. */
export interface SearchFieldProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit?: (value: string) => void;
  readonly placeholder?: string;
  /** Shown while the field is empty. */
  readonly shortcut?: string;
  readonly className?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A field that narrows what is shown; Escape empties it. */
export function SearchField({
  label,
  value,
  onChange,
  onSubmit,
  placeholder,
  shortcut,
  className,
  inputRef,
}: SearchFieldProps) {
  return (
    <AriaSearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      {...(onSubmit !== undefined && { onSubmit })}
      className={classNames(fieldStyles.box, styles.search, className)}
    >
      <Search size={14} aria-hidden />
      <Input
        className={fieldStyles.input}
        {...(placeholder !== undefined && { placeholder })}
        {...(inputRef !== undefined && { ref: inputRef })}
      />
      {value === '' && shortcut !== undefined && <Kbd keys={shortcut} isHint />}
      {value !== '' && (
        <Button className={styles.clear} aria-label="Clear">
          <X size={14} aria-hidden />
        </Button>
      )}
    </AriaSearchField>
  );
}
