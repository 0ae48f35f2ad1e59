import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { announceSignIn, leaveForSignIn } from '#ui/lib/session.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import type { AuthMethod } from '#ui/lib/viewer.ts';
import { ProviderLinks } from './provider-links.tsx';
import styles from './sign-in.module.css';
import { hasForm, SignInWays } from './sign-in-ways.tsx';

interface SessionDialogProps {
  readonly email: string | undefined;
  /** How the account signs in; any way is offered where that is not known. */
  readonly method: AuthMethod | undefined;
}

/**
 * Asks a user whose session has ended to sign in again, above the page and any window that is open there: nothing that was
 * typed is lost. It is the browser's own dialog, in whose place the windows of the page do not interfere.
 */
export function SessionDialog({ email, method }: SessionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOfProvider = method === 'OAUTH2' && serverConfig.providers.length > 0;
  const isOfDirectory = method === 'LDAP' && serverConfig.ldapEnabled;
  const isKnown = email !== undefined && !isOfDirectory;
  useEffect(() => {
    dialog.current?.showModal();
    // The form could not take the focus before, and a browser gives it to the first field.
    dialog.current?.querySelector<HTMLInputElement>(isKnown ? '[type="password"]' : 'input')?.focus();
  }, [isKnown]);
  return createPortal(
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="session-dialog-title"
      data-modal
      data-react-aria-top-layer
      // There is no page to go back to without a session.
      onCancel={(event) => event.preventDefault()}
    >
      <div className={styles.dialogContent}>
        <h2 id="session-dialog-title" className={styles.title}>
          Your session has ended
        </h2>
        <p className={styles.text}>Sign in again to continue. This page keeps what you typed.</p>
        {!isOfDirectory && (
          <ProviderLinks
            addressFor={(name) => `${serverConfig.rootPath}/oauth2/${name}/login`}
            isNewTab
            isAlone={isOfProvider}
          />
        )}
        {hasForm && !isOfProvider && (
          <SignInWays knownEmail={isOfDirectory ? undefined : email} onSignedIn={announceSignIn} />
        )}
        <p className={styles.links}>
          <button type="button" className={styles.link} onClick={leaveForSignIn}>
            Go to the sign-in page instead
          </button>
        </p>
      </div>
    </dialog>,
    document.body,
  );
}
