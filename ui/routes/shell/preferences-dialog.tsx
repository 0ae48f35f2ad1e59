import { Check, ChevronDown, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { Dialog } from '#ui/components/dialog.tsx';
import fieldStyles from '#ui/components/field.module.css';
import menuStyles from '#ui/components/menu.module.css';
import popoverStyles from '#ui/components/popover.module.css';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { setTheme, type Theme, useTheme } from '#ui/lib/theme.ts';
import { listTimeZones, LOCAL_ZONE, resolveTimeZone, setTimeZone, useTimeZoneChoice } from '#ui/lib/time-zone.ts';
import styles from './preferences-dialog.module.css';

/** See {@link PreferencesDialog}. */
export interface PreferencesDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

const THEMES: readonly { readonly id: Theme; readonly label: string; readonly icon: typeof Sun }[] = [
  { id: 'light', label: 'Light', icon: Sun },
  { id: 'dark', label: 'Dark', icon: Moon },
  { id: 'system', label: 'System', icon: Monitor },
];

/** What this browser shows, and how; it holds at once. */
export function PreferencesDialog({ isOpen, onOpenChange }: PreferencesDialogProps) {
  const [openedAt] = useState(() => new Date().toISOString());
  return (
    <Dialog title="Preferences" size="sm" isOpen={isOpen} onOpenChange={onOpenChange}>
      <div className={styles.preferences}>
        <div className={fieldStyles.field}>
          <span className={fieldStyles.label}>Theme</span>
          <SegmentedControl
            label="Theme"
            className={styles.theme}
            items={THEMES}
            selectedKey={useTheme()}
            onSelectionChange={setTheme}
          />
        </div>
        <TimeZoneField />
        <p className={fieldStyles.hint}>
          The time is now <Timestamp value={openedAt} style="full" />. Theme and time zone are saved in this browser.
        </p>
      </div>
    </Dialog>
  );
}

function TimeZoneField() {
  const choice = useTimeZoneChoice();
  const zones = [
    { id: LOCAL_ZONE, label: `This computer (${resolveTimeZone(LOCAL_ZONE)})` },
    ...listTimeZones().map((zone) => ({ id: zone, label: zone.replaceAll('_', ' ') })),
  ];
  return (
    <ComboBox
      className={fieldStyles.field}
      defaultItems={zones}
      defaultSelectedKey={choice}
      menuTrigger="focus"
      onSelectionChange={(zone) => zone !== null && setTimeZone(String(zone))}
    >
      <Label className={fieldStyles.label}>Time zone</Label>
      <div className={fieldStyles.box}>
        <Input className={fieldStyles.input} />
        <Button className={styles.open}>
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      <Text slot="description" className={fieldStyles.hint}>
        All times are shown in this time zone.
      </Text>
      <Popover className={popoverStyles.popover} offset={4}>
        <ListBox className={menuStyles.menu}>
          {({ id, label }: (typeof zones)[number]) => (
            <ListBoxItem className={menuStyles.item} id={id} textValue={label}>
              {({ isSelected }) => (
                <>
                  <span className={menuStyles.text}>{label}</span>
                  <Check size={15} aria-hidden className={isSelected ? '' : menuStyles.unchecked} />
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
