import { useEffect, useState } from 'react';
import { Spinner } from '#ui/components/spinner.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { fetchInSession, readSessionUser } from '#ui/lib/session.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

/**
 * Stands in place of a page that the server gives by itself, such as the API reference, when it is asked for without a session:
 * renews the session and loads the page again, or leads to the sign-in page.
 */
export function ResumePage() {
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    readSessionUser(fetchInSession).then(
      () => location.reload(),
      (error: unknown) => setFailure(describeError(error)),
    );
  }, []);
  return (
    <SignInFrame title="Sign in">
      {failure === undefined && <Spinner label="Renewing your session" />}
      <div role="alert">{failure !== undefined && <p className={styles.refusal}>{failure}</p>}</div>
    </SignInFrame>
  );
}
