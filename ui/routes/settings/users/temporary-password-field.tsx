import { Dices } from 'lucide-react';
import { Button } from '#ui/components/button.tsx';
import { PasswordField } from '#ui/components/password-field.tsx';
import { describePasswordPolicy, findPasswordFault } from '#ui/lib/password-policy.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { makeTemporaryPassword } from './temporary-password.ts';
import styles from './temporary-password.module.css';

/** See {@link TemporaryPasswordField}. */
export interface TemporaryPasswordFieldProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
  /** Whether to say what is wrong with it. */
  readonly isChecked: boolean;
  readonly isFocused?: boolean;
}

/** A password for someone else, typed or made up. */
export function TemporaryPasswordField({ value, onChange, isChecked, isFocused = false }: TemporaryPasswordFieldProps) {
  return (
    <div className={styles.row}>
      <div className={styles.field}>
        <PasswordField
          label="Temporary password"
          value={value}
          onChange={onChange}
          autoComplete="off"
          isFocused={isFocused}
          hint={describePasswordPolicy(serverConfig.hasStrongPasswords)}
          error={isChecked ? findPasswordFault(value, serverConfig.hasStrongPasswords) : undefined}
        />
      </div>
      <Button icon={Dices} className={styles.generate} onPress={() => onChange(makeTemporaryPassword())}>
        Generate
      </Button>
    </div>
  );
}
