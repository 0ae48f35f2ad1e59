import { Link } from '@tanstack/react-router';
import { Badge } from '#ui/components/badge.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Fact, FactList } from '#ui/components/fact-list.tsx';
import { PageSection } from '#ui/components/page-section.tsx';
import { describePasswordPolicy } from '#ui/lib/password-policy.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { reachableGrpcAddress } from '../onboarding/snippets.ts';
import styles from './general-page.module.css';
import settingsStyles from './settings.module.css';

/** What everybody may know of the server: where it is, where to send telemetry, who may use it. */
export function GeneralPage() {
  const { rootPath, version, grpcAddress } = serverConfig;
  const address = `${location.origin}${rootPath}`;
  return (
    <div className={settingsStyles.page}>
      <PageSection title="Server">
        <FactList>
          <CopiedFact label="Address" text={address} />
          <CopiedFact label="Version" text={version} />
          <Fact label="Documentation">
            <Link to="/docs" className={styles.link}>
              API reference
            </Link>{' '}
            <Link to="/graphql" className={styles.link}>
              GraphQL explorer
            </Link>
          </Fact>
        </FactList>
      </PageSection>
      <PageSection title="Send telemetry" lead={<TelemetryLead />}>
        <FactList>
          <CopiedFact label="OTLP over HTTP" text={address} note="OTEL_EXPORTER_OTLP_ENDPOINT for http/protobuf" />
          <CopiedFact label="Traces" text={`${address}/v1/traces`} />
          <CopiedFact label="Logs" text={`${address}/v1/logs`} />
          <CopiedFact
            label="OTLP over gRPC"
            text={reachableGrpcAddress(grpcAddress, location.hostname)}
            note="Host and port for grpc"
          />
        </FactList>
      </PageSection>
      {serverConfig.authEnabled ? <AuthenticationOn /> : <AuthenticationOff />}
    </div>
  );
}

function TelemetryLead() {
  const managesKeys = useMay('manageAccounts');
  const canSend = useMay('write');
  if (!serverConfig.authEnabled) return 'Programs send OpenTelemetry data to these addresses. They need no key.';
  return (
    <>
      Programs send OpenTelemetry data to these addresses, with an API key in the header <code>authorization</code>.{' '}
      {managesKeys ? (
        <>
          Create one under <Link to="/settings/api-keys">API keys</Link>.
        </>
      ) : canSend ? (
        <>
          Create one in <Link to="/profile">your profile</Link>.
        </>
      ) : (
        'Keys of viewers cannot send: ask a member or an administrator for one.'
      )}
    </>
  );
}

function AuthenticationOn() {
  const { basicAuthDisabled, canResetByMail, hasStrongPasswords } = serverConfig;
  return (
    <PageSection
      title="Authentication"
      badge={<Badge tone="success">On</Badge>}
      lead="Everybody signs in, and programs show an API key."
    >
      <FactList>
        <Fact label="Password sign-in">{basicAuthDisabled ? 'Off' : 'On'}</Fact>
        {!basicAuthDisabled && (
          <>
            <Fact label="Passwords">{describePasswordPolicy(hasStrongPasswords)}</Fact>
            <Fact label="Forgotten passwords">
              {canResetByMail
                ? 'The server mails a link that sets a new one.'
                : 'An administrator sets a new one. This server cannot send mail.'}
            </Fact>
          </>
        )}
      </FactList>
    </PageSection>
  );
}

function AuthenticationOff() {
  return (
    <PageSection
      title="Authentication"
      badge={<Badge tone="warning">Off</Badge>}
      lead="Anyone who can reach this server can read and change everything on it. There are no users and no API keys."
    >
      <div className={styles.steps}>
        <p>To turn authentication on:</p>
        <ol>
          <li>
            Set <code>SERVICE_ENABLE_AUTH=true</code>.
          </li>
          <li>
            Set <code>SERVICE_SECRET</code> to a long random text: at least 32 characters, with a digit and a lower-case
            letter.
          </li>
          <li>
            Restart the server, then sign in as <code>admin@localhost</code> with the password <code>admin</code>, or
            the one that you set as <code>SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD</code>: <code>random</code> has the
            server make one up, and print it at that start. You choose a new one first.
          </li>
        </ol>
      </div>
    </PageSection>
  );
}

/** A text of the machine, with a button that copies it. */
function CopiedFact({ label, text, note }: { readonly label: string; readonly text: string; readonly note?: string }) {
  return (
    <Fact label={label} note={note}>
      <code className={styles.code}>{text}</code> <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </Fact>
  );
}
