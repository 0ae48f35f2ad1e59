import type { LucideIcon } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { classNames } from '#ui/lib/class-names.ts';
import { Tooltip } from './tooltip.tsx';
import styles from './segmented-control.module.css';

/** See {@link SegmentedControl}. */
export interface SegmentedControlProps<K extends string> {
  readonly label: string;
  readonly items: readonly { readonly id: K; readonly label: string; readonly icon?: LucideIcon }[];
  readonly selectedKey: K;
  readonly onSelectionChange: (key: K) => void;
  /** Shows icons alone, texts as tooltips. */
  readonly isIconOnly?: boolean;
  readonly className?: string | undefined;
}

/** One of two to four short choices, all of them in view. */
export function SegmentedControl<K extends string>({
  label,
  items,
  selectedKey,
  onSelectionChange,
  isIconOnly = false,
  className,
}: SegmentedControlProps<K>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selectedKey]}
      onSelectionChange={([key]) => key !== undefined && onSelectionChange(key as K)}
      className={classNames(styles.group, className)}
    >
      {items.map(({ id, label: text, icon: Icon }) => {
        const segment = (
          <ToggleButton key={id} id={id} className={styles.segment} {...(isIconOnly && { 'aria-label': text })}>
            {Icon !== undefined && <Icon size={14} aria-hidden />}
            {!isIconOnly && <span>{text}</span>}
          </ToggleButton>
        );
        if (!isIconOnly) return segment;
        return (
          <Tooltip key={id} content={text}>
            {segment}
          </Tooltip>
        );
      })}
    </ToggleButtonGroup>
  );
}
