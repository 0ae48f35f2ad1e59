import { useEffect, useState } from 'react';
import { PasswordField } from '#ui/components/password-field.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { askGraphql } from '#ui/lib/graphql-fetch.ts';
import { fetchInSession, readSessionUser, type SessionUser } from '#ui/lib/session.ts';
import { addressOf, keepEmail, signInAddressOf } from './addresses.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useSubmit } from '#ui/lib/use-submit.ts';

/** The one page of a user who has to replace the password that an administrator set. */
export function ChangePage() {
  const [user, setUser] = useState<SessionUser>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    readSessionUser(fetchInSession).then(
      (found) => {
        if (found?.passwordNeedsReset === true) setUser(found);
        else location.replace(addressOf('/profile'));
      },
      (error: unknown) => setFailure(describeError(error)),
    );
  }, []);
  return (
    <SignInFrame title="Choose a new password">
      <div role="alert">{failure !== undefined && <p className={styles.refusal}>{failure}</p>}</div>
      {user !== undefined && <ChangeForm user={user} />}
      <p className={styles.links}>
        <a href={addressOf('/auth/logout')}>Sign out</a>
      </p>
    </SignInFrame>
  );
}

function ChangeForm({ user }: { readonly user: SessionUser }) {
  const [current, setCurrent] = useState('');
  const password = useNewPassword(current);
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    if (!password.check()) return false;
    if (current === '') throw new Error('Enter your current password.');
    await askGraphql('mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { __typename } }', {
      input: { currentPassword: current, newPassword: password.value },
    });
    // The change ends every session, this one too.
    if (user.email !== null) keepEmail(user.email);
    location.assign(signInAddressOf('/login?message=password_reset'));
    return true;
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p className={styles.text}>
        The password of {user.email ?? 'this account'} is temporary. Replace it with one that only you know.
      </p>
      {/* Tells password managers whose password it is. */}
      <input type="text" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      <PasswordField
        label="Current password"
        value={current}
        onChange={setCurrent}
        autoComplete="current-password"
        isFocused
      />
      <NewPasswordFields password={password} />
      <div role="alert">{refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}</div>
      <SubmitButton isPending={isPending}>Save the password</SubmitButton>
    </form>
  );
}
