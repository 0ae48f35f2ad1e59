import { Eye, KeyRound } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { onboardingQuery } from '#ui/__generated__/onboardingQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { CodeBlock } from '#ui/components/code-block/code-block.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/components/tabs.tsx';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { createStored, useStored } from '#ui/lib/storage.ts';
import { useMay } from '#ui/lib/viewer.ts';
import styles from './onboarding.module.css';
import { reachableGrpcAddress, type SnippetSet, snippetSets, type SnippetTarget } from './snippets.ts';

const NewKeyDialog = lazy(async () => ({ default: (await import('../api-keys/new-key-dialog.tsx')).NewKeyDialog }));

const WAITING = graphql`
  query onboardingQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        hasTraces
      }
    }
  }
`;

/** No stream may get through to this browser, and a first trace is worth asking for. */
const ASK_EVERY_MS = 3000;

const WAYS = ['python', 'typescript', 'opentelemetry', 'curl'] as const;
const wayChoice = createStored<SnippetSet['id']>('onboarding', 'python', (value) => WAYS.find((way) => way === value));

interface OnboardingProps {
  readonly projectId: string;
  readonly project: string;
}

/** How to send a first trace to an empty project, until one is there. */
export function Onboarding({ projectId, project }: OnboardingProps) {
  useFirstTrace(projectId);
  if (useMay('write')) return <Snippets project={project} />;
  return (
    <EmptyState icon={Eye} title="No traces yet">
      They appear here as soon as a program sends them. You are a viewer, so you cannot send any.
    </EmptyState>
  );
}

/** What stands for a key until there is one. */
const KEY_PLACEHOLDER = 'your-api-key';

function Snippets({ project }: { readonly project: string }) {
  const way = useStored(wayChoice);
  const [apiKey, setApiKey] = useState(serverConfig.authEnabled ? KEY_PLACEHOLDER : null);
  const target = useMemo(() => targetHere(project), [project]);
  const sets = useMemo(() => snippetSets({ ...target, apiKey }), [target, apiKey]);
  return (
    <div className={styles.scroller} data-onboarding>
      <div className={styles.content}>
        <h2 className={styles.title}>Send a first trace</h2>
        <p className={styles.lead}>
          Cairn accepts OpenTelemetry data. Choose how your program sends it. The snippets already contain the address
          of this server and the project <strong>{project}</strong>.
        </p>
        {apiKey !== null && <KeyStep hasKey={apiKey !== KEY_PLACEHOLDER} onCreated={setApiKey} />}
        <Tabs selectedKey={way} onSelectionChange={(key) => setWay(String(key))} className={styles.tabs}>
          <TabList aria-label="Ways to send traces">
            {sets.map(({ id, label }) => (
              <Tab key={id} id={id}>
                {label}
              </Tab>
            ))}
          </TabList>
          {sets.map(({ id, snippets }) => (
            <TabPanel key={id} id={id} className={styles.panel}>
              {snippets.map(({ title, code, note }) => (
                <section key={title} className={styles.snippet}>
                  <h3 className={styles.step}>{title}</h3>
                  <CodeBlock text={code} label={title} isForCopying />
                  {note !== undefined && <p className={styles.note}>{note.split('`').map(asCode)}</p>}
                </section>
              ))}
            </TabPanel>
          ))}
        </Tabs>
        <output className={styles.waiting}>
          <span className={styles.pulse} aria-hidden />
          Waiting for the first span. The list then opens automatically.
        </output>
      </div>
    </div>
  );
}

/** Has a key created, which the snippets then contain. */
function KeyStep({ hasKey, onCreated }: { readonly hasKey: boolean; readonly onCreated: (key: string) => void }) {
  const [isCreating, setIsCreating] = useState(false);
  return (
    <div className={styles.key}>
      <KeyRound size={16} aria-hidden className={styles.keyIcon} />
      <p className={styles.keyText}>
        {hasKey
          ? 'The snippets contain your new key until you leave this page.'
          : 'Programs need an API key to send to this server.'}
      </p>
      {!hasKey && (
        <Button size="sm" onPress={() => setIsCreating(true)}>
          New API key
        </Button>
      )}
      {isCreating && (
        <Suspense>
          <NewKeyDialog kind="personal" onCreated={onCreated} onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Every second piece stood between backticks. */
function asCode(piece: string, index: number) {
  return index % 2 === 0 ? piece : <code key={index}>{piece}</code>;
}

/** Reads whether there is a trace whenever something arrives, and now and then; the table around takes over from there. */
function useFirstTrace(projectId: string): void {
  const environment = useRelayEnvironment();
  const [asked, setAsked] = useState(0);
  useProjectChanges(projectId, true, () => setAsked((before) => before + 1));
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setAsked((before) => before + 1), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    const asking = fetchQuery<onboardingQuery>(environment, WAITING, { projectId }).subscribe({
      // The next time will tell; that the server is gone is said elsewhere.
      error: () => undefined,
    });
    return () => asking.unsubscribe();
  }, [environment, projectId, asked]);
}

function setWay(key: string): void {
  const way = WAYS.find((candidate) => candidate === key);
  if (way !== undefined) wayChoice.set(way);
}

function targetHere(project: string): Omit<SnippetTarget, 'apiKey'> {
  return {
    url: `${location.origin}${serverConfig.rootPath}`,
    grpcAddress: reachableGrpcAddress(serverConfig.grpcAddress, location.hostname),
    project,
    traceId: randomHex(16),
    spanId: randomHex(8),
    nowMs: Date.now(),
  };
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
