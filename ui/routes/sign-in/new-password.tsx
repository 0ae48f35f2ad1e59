import { useState } from 'react';
import { PasswordField } from '#ui/components/password-field.tsx';
import { findPasswordFault, describePasswordPolicy } from '#ui/lib/password-policy.ts';
import { serverConfig } from '#ui/lib/server-config.ts';

/** A new password that is being typed, twice. */
export interface NewPassword {
  readonly value: string;
  readonly repeated: string;
  readonly setValue: (value: string) => void;
  readonly setRepeated: (value: string) => void;
  readonly fault: string | undefined;
  readonly repetitionFault: string | undefined;
  /** Says what is wrong with it; true where nothing is. */
  readonly check: () => boolean;
}

/** Keeps a new password. `current` is the one that it replaces, where it is asked for. */
export function useNewPassword(current?: string): NewPassword {
  const [value, setValue] = useState('');
  const [repeated, setRepeated] = useState('');
  // What is wrong is said when the form is sent, and disappears while it is mended.
  const [isChecked, setIsChecked] = useState(false);
  const { hasStrongPasswords } = serverConfig;
  const isSame = current !== undefined && value !== '' && value === current;
  const fault = isSame
    ? 'Choose a password that differs from the current one.'
    : findPasswordFault(value, hasStrongPasswords);
  const repetitionFault = value === repeated ? undefined : 'The two passwords differ.';
  return {
    value,
    repeated,
    setValue,
    setRepeated,
    fault: isChecked ? fault : undefined,
    repetitionFault: isChecked && fault === undefined ? repetitionFault : undefined,
    check: () => {
      setIsChecked(true);
      return fault === undefined && repetitionFault === undefined;
    },
  };
}

/** The fields of a new password, with the policy that it must meet. */
export function NewPasswordFields({
  password,
  isFocused,
}: {
  readonly password: NewPassword;
  readonly isFocused?: boolean;
}) {
  return (
    <>
      <PasswordField
        label="New password"
        value={password.value}
        onChange={password.setValue}
        autoComplete="new-password"
        hint={describePasswordPolicy(serverConfig.hasStrongPasswords)}
        error={password.fault}
        isFocused={isFocused}
      />
      <PasswordField
        label="Repeat new password"
        value={password.repeated}
        onChange={password.setRepeated}
        autoComplete="new-password"
        error={password.repetitionFault}
      />
    </>
  );
}
