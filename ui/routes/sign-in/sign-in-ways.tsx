import { useState } from 'react';
import { serverConfig } from '#ui/lib/server-config.ts';
import { SignInForm, type SignInWay } from './sign-in-form.tsx';
import styles from './sign-in.module.css';

/** Whether people type a password here at all. */
export const hasForm = serverConfig.ldapEnabled || !serverConfig.basicAuthDisabled;

interface SignInWaysProps {
  /** Of the account that signed in before. */
  readonly knownEmail?: string | undefined;
  /** Called when the session is there. */
  readonly onSignedIn: () => Promise<void> | void;
}

/** The form of one way to sign in, and a switch to the other where there are both. */
export function SignInWays({ knownEmail = '', onSignedIn }: SignInWaysProps) {
  // An address that is known is that of an account with a password, unless there are none.
  const [way, setWay] = useState<SignInWay>(serverConfig.ldapEnabled && knownEmail === '' ? 'directory' : PASSWORD);
  const isDirectory = way === 'directory';
  return (
    <>
      <SignInForm key={way} way={way} knownName={isDirectory ? '' : knownEmail} onSignedIn={onSignedIn} />
      {serverConfig.ldapEnabled && !serverConfig.basicAuthDisabled && (
        <p className={styles.links}>
          <button type="button" className={styles.link} onClick={() => setWay(isDirectory ? 'password' : 'directory')}>
            {isDirectory
              ? 'Sign in with an email address instead'
              : 'Sign in with a username of your directory instead'}
          </button>
        </p>
      )}
    </>
  );
}

const PASSWORD: SignInWay = serverConfig.basicAuthDisabled ? 'directory' : 'password';
