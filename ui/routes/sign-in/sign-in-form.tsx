import { useState } from 'react';
import { PasswordField } from '#ui/components/password-field.tsx';
import { signIn, signInByDirectory } from '#ui/lib/auth-requests.ts';
import { EmailField } from './email-field.tsx';
import styles from './sign-in.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';

/** What an account signs in with. */
export type SignInWay = 'password' | 'directory';

const WAYS = {
  password: { label: 'Email', missing: 'Enter your email address and your password.', start: signIn },
  directory: { label: 'Username', missing: 'Enter your username and your password.', start: signInByDirectory },
} as const satisfies Readonly<Record<SignInWay, object>>;

interface SignInFormProps {
  readonly way: SignInWay;
  /** Of the account that signed in before. */
  readonly knownName?: string | undefined;
  /** Called when the session is there. */
  readonly onSignedIn: () => Promise<void> | void;
}

/** Asks for a name and a password, and starts a session. */
export function SignInForm({ way, knownName = '', onSignedIn }: SignInFormProps) {
  const { label, missing, start } = WAYS[way];
  const [name, setName] = useState(knownName);
  const [password, setPassword] = useState('');
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (name.trim() === '' || password === '') throw new Error(missing);
    await start(name, password);
    await onSignedIn();
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <EmailField label={label} value={name} onChange={setName} isFocused={knownName === ''} />
      <PasswordField
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        isFocused={knownName !== ''}
      />
      <div role="alert">{refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}</div>
      <SubmitButton isPending={isPending}>Sign in</SubmitButton>
    </form>
  );
}
