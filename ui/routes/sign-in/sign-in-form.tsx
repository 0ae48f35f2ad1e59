import { useState } from 'react';
import { PasswordField } from '#ui/components/password-field.tsx';
import { signIn } from '#ui/lib/auth-requests.ts';
import { EmailField } from './email-field.tsx';
import styles from './sign-in.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';

interface SignInFormProps {
  /** Of the account that signed in before. */
  readonly knownEmail?: string | undefined;
  /** Called when the session is there. */
  readonly onSignedIn: () => Promise<void> | void;
}

/** Asks for email and password, and starts a session. */
export function SignInForm({ knownEmail = '', onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (email.trim() === '' || password === '') throw new Error('Enter your email address and your password.');
    await signIn(email, password);
    await onSignedIn();
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <EmailField value={email} onChange={setEmail} isFocused={knownEmail === ''} />
      <PasswordField
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        isFocused={knownEmail !== ''}
      />
      <div role="alert">{refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}</div>
      <SubmitButton isPending={isPending}>Sign in</SubmitButton>
    </form>
  );
}
