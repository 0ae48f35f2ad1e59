import { serverConfig } from '#ui/lib/server-config.ts';
import { addressOf } from './addresses.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

/** Says that the session has ended. */
export function SignedOutPage() {
  return (
    <SignInFrame title="You are signed out">
      <p className={styles.text}>Your sessions in all browsers have ended. API keys are not affected.</p>
      <p className={styles.links}>
        <a href={addressOf('/login')}>Sign in again</a>
        {/* Without a parameter, the page leads to the provider. */}
        {serverConfig.isAutomatic && <a href={addressOf('/login?choose=true')}>Sign in another way</a>}
      </p>
    </SignInFrame>
  );
}
