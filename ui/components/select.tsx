import { Check, ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { classNames } from '#ui/lib/class-names.ts';
import fieldStyles from './field.module.css';
import menuStyles from './menu.module.css';
import popoverStyles from './popover.module.css';
import styles from './select.module.css';

/** See {@link Select}. */
export interface SelectProps<K extends string> {
  readonly label: string;
  /** The label is for screen readers alone. */
  readonly isLabelHidden?: boolean;
  readonly items: readonly { readonly id: K; readonly label: string }[];
  readonly selectedKey: K;
  readonly onSelectionChange: (key: K) => void;
  readonly isDisabled?: boolean;
  readonly className?: string | undefined;
}

/** One of a handful of choices; for two to four short ones see `SegmentedControl`. */
export function Select<K extends string>({
  label,
  isLabelHidden = false,
  items,
  selectedKey,
  onSelectionChange,
  isDisabled = false,
  className,
}: SelectProps<K>) {
  return (
    <AriaSelect
      className={classNames(fieldStyles.field, className)}
      {...(isLabelHidden && { 'aria-label': label })}
      value={selectedKey}
      onChange={(key) => onSelectionChange(key as K)}
      isDisabled={isDisabled}
    >
      {!isLabelHidden && <Label className={fieldStyles.label}>{label}</Label>}
      <Button className={classNames(fieldStyles.box, styles.button)}>
        <SelectValue className={styles.value} />
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className={popoverStyles.popover} offset={4}>
        <ListBox className={menuStyles.menu} items={items}>
          {(item) => (
            <ListBoxItem className={menuStyles.item} textValue={item.label}>
              {({ isSelected }) => (
                <>
                  <span className={menuStyles.text}>{item.label}</span>
                  <Check size={15} aria-hidden className={isSelected ? '' : menuStyles.unchecked} />
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
