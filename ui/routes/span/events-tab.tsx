import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { EventTime } from './event-time.tsx';
import styles from './events-tab.module.css';
import { Exceptions } from './exception-view.tsx';
import { JsonContent } from './json-content.tsx';
import { LongList } from './long-list.tsx';
import type { SpanEvents } from './model/events.ts';
import { SpanLogRecords } from './span-log-records.tsx';

/** See {@link EventsTab}. */
export interface EventsTabProps {
  /** Global node id. */
  readonly spanNodeId: string;
  readonly events: SpanEvents;
  /** All attributes as text: log records that come change them. */
  readonly attributes: string;
}

/** What happened within the span, exceptions before everything else, and the log records that tell of it. */
export function EventsTab({ spanNodeId, events, attributes }: EventsTabProps) {
  const { exceptions, others } = events;
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
              <EventTime value={timestamp} />
            </header>
            {Object.keys(attributes).length > 0 && <JsonContent value={attributes} label={`attributes of ${name}`} />}
          </section>
        )}
      </LongList>
      <SpanLogRecords
        spanNodeId={spanNodeId}
        hasEvents={exceptions.length + others.length > 0}
        revision={String(attributes.length)}
      />
    </div>
  );
}
