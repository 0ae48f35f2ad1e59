import { CodeBlock } from '#ui/components/code-block/code-block.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Name } from '#ui/components/name.tsx';
import { serverConfig } from '#ui/lib/server-config.ts';
import { exporterEnvironment, requestWithKey } from './key-usage.ts';
import styles from './shown-once.module.css';

interface ShownOnceProps {
  readonly name: string;
  /** The key itself. */
  readonly text: string;
  /** Whether it can send telemetry. */
  readonly canSend: boolean;
  /** One of those that it is limited to. */
  readonly project: string | undefined;
}

/** A key that was created just now, and how a program uses it. */
export function ShownOnce({ name, text, canSend, project }: ShownOnceProps) {
  const url = location.origin + serverConfig.rootPath;
  return (
    <div className={styles.content}>
      <p>
        <b>
          <Name>{name}</Name>
        </b>{' '}
        was created. Cairn keeps no copy of the key: when this window is closed, nobody can read it again.
      </p>
      <div className={styles.key}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is to be selected must be within reach of the keyboard. */}
        <code className={styles.text} aria-label="The key" tabIndex={0}>
          {text}
        </code>
        <CopyButton size="md" hasText isFocused label="Copy key" text={text} />
      </div>
      <section className={styles.usage}>
        <h3 className={styles.title}>
          {canSend ? 'Send telemetry with an OpenTelemetry exporter' : 'Try it in a shell'}
        </h3>
        <CodeBlock
          label={canSend ? 'environment variables' : 'request'}
          text={
            canSend
              ? exporterEnvironment(url, { key: text, grpcAddress: serverConfig.grpcAddress, project })
              : requestWithKey(url, text)
          }
          isForCopying
        />
      </section>
    </div>
  );
}
