import { useState } from 'react';
import { requestPasswordReset } from '#ui/lib/auth-requests.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { signInAddressOf } from './addresses.ts';
import { EmailField } from './email-field.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';

/** Has a link sent by which the user chooses a new password. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <SignInFrame title={sentTo === undefined ? 'Forgot your password?' : 'Look into your mail'}>
      {!serverConfig.canResetByMail && (
        <p className={styles.text}>
          This server sends no mail, so it cannot send you a link. Ask an administrator to set a new password for you.
        </p>
      )}
      {serverConfig.canResetByMail && sentTo === undefined && <RequestForm onSent={setSentTo} />}
      {sentTo !== undefined && (
        <output className={styles.text}>
          If there is an account for {sentTo}, a message with a link is on its way. The link works once, for a short
          time.
        </output>
      )}
      <p className={styles.links}>
        <a href={signInAddressOf('/login')}>Back to sign in</a>
      </p>
    </SignInFrame>
  );
}

function RequestForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const [email, setEmail] = useState('');
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (email.trim() === '') throw new Error('Enter the email address of your account.');
    await requestPasswordReset(email);
    onSent(email.trim());
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p className={styles.text}>Enter the email address of your account. You get a link to choose a new password.</p>
      <EmailField value={email} onChange={setEmail} isFocused />
      <div role="alert">{refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}</div>
      <SubmitButton isPending={isPending}>Send the link</SubmitButton>
    </form>
  );
}
