import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import fieldStyles from '#ui/components/field.module.css';
import { type PersonRole, ROLES } from './roles.ts';
import styles from './role-picker.module.css';

/** See {@link RolePicker}. */
export interface RolePickerProps {
  readonly value: PersonRole;
  readonly onChange: (role: PersonRole) => void;
}

/** Chooses a role by what it allows. */
export function RolePicker({ value, onChange }: RolePickerProps) {
  return (
    <RadioGroup className={fieldStyles.field} value={value} onChange={(role) => onChange(role as PersonRole)}>
      <Label className={fieldStyles.label}>Role</Label>
      <div className={styles.roles}>
        {ROLES.map(({ id, label, text }) => (
          <Radio key={id} value={id} className={styles.role}>
            <span className={styles.mark} />
            <span>
              <span className={styles.label}>{label}</span>
              <span className={styles.text}>{text}</span>
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
