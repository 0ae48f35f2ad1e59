import { CodeBlock } from '#ui/components/code-block/code-block.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/components/tabs.tsx';
import styles from './onboarding.module.css';
import { SESSION_SNIPPETS } from './session-snippets.ts';

/** Stands in place of a project's sessions where there never was one: what they are and how traces become one. */
export function NoSessions() {
  return (
    <div className={styles.sessions}>
      <h2 className={styles.title}>No sessions yet</h2>
      <p className={styles.lead}>
        A session is a conversation: the traces whose spans have the same <code>session.id</code>. No trace of this
        project has one. Set it where your program handles one turn, and sessions appear here.
      </p>
      <Tabs className={styles.tabs}>
        <TabList aria-label="Ways to name a session">
          {SESSION_SNIPPETS.map(({ id, label }) => (
            <Tab key={id} id={id}>
              {label}
            </Tab>
          ))}
        </TabList>
        {SESSION_SNIPPETS.map(({ id, label, code, note }) => (
          <TabPanel key={id} id={id} className={styles.panel}>
            <CodeBlock text={code} label={`Session id, ${label}`} isForCopying />
            {note !== undefined && (
              <p className={styles.note}>
                {note.split('`').map((piece, index) => (index % 2 === 0 ? piece : <code key={piece}>{piece}</code>))}
              </p>
            )}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}
