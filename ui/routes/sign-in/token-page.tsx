import { resetPassword } from '#ui/lib/auth-requests.ts';
import { addressOf, readParameter } from './addresses.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';

/** Where a mailed link leads: the user chooses a new password. */
export function TokenPage() {
  const token = readParameter('token') ?? '';
  return (
    <SignInFrame title="Choose a new password">
      {token === '' ? (
        <p className={styles.text}>
          This link is incomplete. Open the link from the message again, or request a new one.
        </p>
      ) : (
        <TokenForm token={token} />
      )}
      <p className={styles.links}>
        <a href={addressOf('/login')}>Back to sign in</a>
        <a href={addressOf('/forgot-password')}>Request a new link</a>
      </p>
    </SignInFrame>
  );
}

function TokenForm({ token }: { readonly token: string }) {
  const password = useNewPassword();
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (!password.check()) return false;
    await resetPassword(token, password.value);
    location.assign(addressOf('/login?message=password_reset'));
    return true;
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <NewPasswordFields password={password} isFocused />
      <div role="alert">{refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}</div>
      <SubmitButton isPending={isPending}>Save the password</SubmitButton>
    </form>
  );
}
