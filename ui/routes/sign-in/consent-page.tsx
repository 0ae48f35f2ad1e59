import { useEffect, useState } from 'react';
import buttonStyles from '#ui/components/button.module.css';
import { Spinner } from '#ui/components/spinner.tsx';
import { classNames } from '#ui/lib/class-names.ts';
import { type ConsentRequest, decideConsent, readConsentRequest } from '#ui/lib/consent-requests.ts';
import { describeError } from '#ui/lib/describe-error.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { addressOf } from './addresses.ts';
import styles from './consent-page.module.css';
import { SignInFrame } from './sign-in-frame.tsx';
import signInStyles from './sign-in.module.css';
import { SubmitButton } from './submit-button.tsx';

/** Asks whether an application may act in the user's name. */
export function ConsentPage() {
  const [request, setRequest] = useState<ConsentRequest>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    readConsentRequest(location.search).then(
      (found) => {
        if ('redirect_to' in found) location.replace(found.redirect_to);
        else setRequest(found);
      },
      (error: unknown) => setFailure(describeError(error)),
    );
  }, []);
  return (
    <SignInFrame title={request === undefined ? 'Let an application in' : `Let ${request.client_name} in?`}>
      <div role="alert">{failure !== undefined && <p className={signInStyles.refusal}>{failure}</p>}</div>
      {request === undefined && failure === undefined && <Spinner label="Reading the request" />}
      {request !== undefined && <ConsentForm request={request} />}
      {failure !== undefined && (
        <p className={signInStyles.links}>
          <a href={addressOf('/projects')}>Go to the projects</a>
        </p>
      )}
    </SignInFrame>
  );
}

function ConsentForm({ request }: { readonly request: ConsentRequest }) {
  const { client_name: name, is_first_party: isFirstParty, username, days } = request;
  const decide = async (isApproved: boolean) => {
    location.assign(await decideConsent(location.search, isApproved));
    return true;
  };
  const approval = useSubmit(() => decide(true));
  const denial = useSubmit(() => decide(false));
  const refusal = approval.refusal ?? denial.refusal;
  return (
    <>
      {!isFirstParty && (
        <p className={styles.warning}>
          Nobody has checked this name: the application gave it to itself. Continue only if you have just started it.
        </p>
      )}
      <dl className={styles.facts}>
        <dt>Application</dt>
        <dd>{isFirstParty ? `${name} of this server` : name}</dd>
        <dt>Signed in as</dt>
        <dd>{username}</dd>
        <dt>What it may do</dt>
        <dd>Everything that you may do, but create API keys and let in others</dd>
        <dt>For how long</dt>
        <dd>{describeDays(days)}, or until you revoke it on your profile page or sign out</dd>
        <dt>Sends you to</dt>
        <dd>
          <strong>{describePlace(request)}</strong>
          <span className={styles.address}>{request.redirect_uri}</span>
        </dd>
      </dl>
      <div role="alert">{refusal !== undefined && <p className={signInStyles.refusal}>{refusal}</p>}</div>
      <div className={styles.buttons}>
        <form onSubmit={approval.onSubmit}>
          <SubmitButton isPending={approval.isPending}>Let it in</SubmitButton>
        </form>
        <form onSubmit={denial.onSubmit}>
          <button
            type="submit"
            className={classNames(buttonStyles.button, buttonStyles.md, buttonStyles.secondary, signInStyles.submit)}
          >
            Do not let it in
          </button>
        </form>
      </div>
    </>
  );
}

function describeDays(days: number): string {
  if (days < 1) return 'Less than a day';
  const whole = Math.round(days);
  return whole === 1 ? '1 day' : `${whole} days`;
}

function describePlace({ redirect_host: host, is_local: isLocal, redirect_uri: address }: ConsentRequest): string {
  if (host === null) return `an application on this machine (${address.split(':', 1)[0]})`;
  return isLocal ? 'a program on this machine' : host;
}
