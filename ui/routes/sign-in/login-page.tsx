import { announceSignIn, readSessionUser } from '#ui/lib/session.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { addressOf, keptEmail, readParameter, returnPath, signInAddressOf } from './addresses.ts';
import { describeFault } from './provider-faults.ts';
import { ProviderLinks } from './provider-links.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';
import { hasForm, SignInWays } from './sign-in-ways.tsx';

/** What the address may have the page say: it names one of these, never a text. */
const NOTICES: Readonly<Record<string, string>> = {
  password_reset: 'Your password was changed. Sign in with the new one.',
};

/** Asks who the user is. */
export function LoginPage() {
  const notice = NOTICES[readParameter('message') ?? ''];
  const fault = describeFault(readParameter('error'));
  return (
    <SignInFrame title="Sign in">
      {notice !== undefined && <output className={styles.notice}>{notice}</output>}
      {fault !== undefined && (
        <p role="alert" className={styles.refusal}>
          {fault}
        </p>
      )}
      <ProviderLinks />
      {hasForm && <SignInWays knownEmail={keptEmail} onSignedIn={goOn} />}
      {!serverConfig.basicAuthDisabled && <ForgottenPassword />}
      {!hasForm && serverConfig.providers.length === 0 && (
        <p className={styles.text}>Signing in with a password is turned off on this server. Ask an administrator.</p>
      )}
    </SignInFrame>
  );
}

function ForgottenPassword() {
  if (!serverConfig.canResetByMail) {
    return <p className={styles.text}>Forgot your password? Ask an administrator for a new one.</p>;
  }
  return (
    <p className={styles.links}>
      <a href={signInAddressOf('/forgot-password')}>Forgot your password?</a>
    </p>
  );
}

const NO_HTTPS =
  'The browser did not keep your sign-in. If this server keeps sign-ins over HTTPS only, open its address with https://.';
const NO_COOKIES = 'The browser did not keep your sign-in. Allow cookies for this address, then try again.';

async function goOn(): Promise<void> {
  await announceSignIn();
  const user = await readSessionUser();
  if (user === null) throw new Error(location.protocol === 'https:' ? NO_COOKIES : NO_HTTPS);
  location.assign(
    user.passwordNeedsReset ? signInAddressOf('/reset-password') : (returnPath ?? addressOf('/projects')),
  );
}
