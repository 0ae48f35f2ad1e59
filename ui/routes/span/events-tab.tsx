import { EmptyState } from '#ui/components/empty-state.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import styles from './events-tab.module.css';
import { ExceptionView } from './exception-view.tsx';
import { JsonContent } from './json-content.tsx';
import type { SpanEvents } from './model/events.ts';

/** What happened within the span, exceptions before everything else. */
export function EventsTab({ events }: { readonly events: SpanEvents }) {
  const { exceptions, others } = events;
  if (exceptions.length + others.length === 0)
    return <EmptyState title="No events">The span recorded none.</EmptyState>;
  return (
    <div className={styles.events}>
      {exceptions.map((exception, index) => (
        <ExceptionView key={index} exception={exception} />
      ))}
      {others.map(({ name, timestamp, attributes }, index) => (
        <section key={index} className={styles.event} aria-label={name}>
          <header className={styles.header}>
            <h3 className={styles.name}>{name}</h3>
            <Timestamp value={timestamp} style="time" className={styles.time} />
          </header>
          {Object.keys(attributes).length > 0 && <JsonContent value={attributes} label={`attributes of ${name}`} />}
        </section>
      ))}
    </div>
  );
}
