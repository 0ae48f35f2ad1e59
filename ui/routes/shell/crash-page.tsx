import { House, RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { UnreachableCodeError } from '#ui/lib/code-of.ts';
import { onReconnect, probe } from '#ui/lib/connection.ts';
import { describeError } from '#ui/lib/describe-error.ts';
import { usePageTitle } from '#ui/lib/page-title.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import styles from './crash-page.module.css';

/** What was thrown. */
export interface CrashProps {
  readonly error: unknown;
}

/** Stands where a page failed in a way that nothing on it caught. */
export function CrashPage({ error }: CrashProps) {
  usePageTitle(['Something went wrong']);
  const isCodeMissing =
    error instanceof UnreachableCodeError ||
    /dynamically imported module|module script failed|preload CSS/.test(describeError(error));
  useEffect(() => {
    if (!isCodeMissing) return undefined;
    // If the server does not respond, this also begins to wait for it.
    void probe();
    return onReconnect(() => location.reload());
  }, [isCodeMissing]);
  return (
    <div className={styles.page} role="alert">
      <TriangleAlert size={28} strokeWidth={1.5} aria-hidden className={styles.icon} />
      <h1 className={styles.title}>{isCodeMissing ? 'Part of this page could not be loaded' : 'This page failed'}</h1>
      <p>
        {isCodeMissing
          ? 'The server is not responding, or its version has changed. No recorded data is lost. Reload the page; when the server responds again, it reloads by itself.'
          : 'No recorded data is lost. Reload the page. If it fails again, the other pages still work, and the details below tell a developer what happened.'}
      </p>
      <pre className={styles.details}>{describeError(error)}</pre>
      <div className={styles.actions}>
        <Button variant="primary" icon={RotateCw} onPress={() => location.reload()}>
          Reload
        </Button>
        <Button icon={House} onPress={() => location.assign(`${serverConfig.rootPath}/projects`)}>
          All projects
        </Button>
        <CopyButton size="md" hasText label="Copy details" text={() => describeForDevelopers(error)} />
      </div>
    </div>
  );
}

/** The same where not even the shell stands. */
export function RootCrash(props: CrashProps) {
  return (
    <main>
      <CrashPage {...props} />
    </main>
  );
}

function describeForDevelopers(error: unknown): string {
  const details = error instanceof Error ? error.stack : undefined;
  return [`Cairn ${serverConfig.version}`, location.href, navigator.userAgent, details ?? describeError(error)].join(
    '\n',
  );
}
