import { EmptyState } from '#ui/components/empty-state.tsx';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import styles from './events-tab.module.css';
import { Exceptions } from './exception-view.tsx';
import { JsonContent } from './json-content.tsx';
import { LongList } from './long-list.tsx';
import type { SpanEvents } from './model/events.ts';

/** What happened within the span, exceptions before everything else. */
export function EventsTab({ events }: { readonly events: SpanEvents }) {
  const { exceptions, others } = events;
  if (exceptions.length + others.length === 0)
    return <EmptyState title="No events">The span recorded none.</EmptyState>;
  return (
    <div className={styles.events}>
      <Exceptions exceptions={exceptions} />
      <LongList items={others} noun="events" keyOf={(_, index) => index} className={styles.events}>
        {({ name, timestamp, attributes }) => (
          <section className={styles.event} aria-label={revealHidden(name)}>
            <header className={styles.header}>
              <h3 className={styles.name}>
                <Name>{name}</Name>
              </h3>
              <Timestamp value={timestamp} style="time" className={styles.time} />
            </header>
            {Object.keys(attributes).length > 0 && <JsonContent value={attributes} label={`attributes of ${name}`} />}
          </section>
        )}
      </LongList>
    </div>
  );
}
