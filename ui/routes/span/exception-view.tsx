import { CircleX } from 'lucide-react';
import { Badge } from '#ui/components/badge.tsx';
import { CodeBlock } from '#ui/components/code-block/code-block.tsx';
import { LongText } from '#ui/components/long-text/long-text.tsx';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { EventTime } from './event-time.tsx';
import styles from './exception-view.module.css';
import { Fold } from './fold.tsx';
import { JsonContent } from './json-content.tsx';
import { LongList } from './long-list.tsx';
import type { RecordedException } from './model/events.ts';
import { messageAlone, placeOf } from './model/same-error.ts';

/** More than this scrolls by itself. */
const MAX_LAID_OUT = 20_000;

/** The exceptions of a span, one below the other. */
export function Exceptions({ exceptions }: { readonly exceptions: readonly RecordedException[] }) {
  if (exceptions.length === 0) return null;
  return (
    <LongList items={exceptions} noun="exceptions" keyOf={(_, index) => index} className={styles.exceptions}>
      {(exception) => <ExceptionView exception={exception} />}
    </LongList>
  );
}

/** An exception: what it was, what it said, and behind one press where it came from. */
function ExceptionView({ exception }: { readonly exception: RecordedException }) {
  const { type, stackTrace, hasEscaped, timestamp, rest } = exception;
  const message = messageAlone(exception);
  return (
    <section className={styles.exception} aria-label={`Exception ${revealHidden(type ?? '')}`}>
      <header className={styles.header}>
        <CircleX size={15} aria-hidden />
        <h3 className={styles.type}>
          <Name>{type ?? 'Exception'}</Name>
        </h3>
        {hasEscaped && <Badge tone="danger">escaped the span</Badge>}
        <span className={styles.gap} />
        <EventTime value={timestamp} />
      </header>
      {message !== undefined && <p className={styles.message}>{message.slice(0, MAX_LAID_OUT)}</p>}
      {stackTrace !== undefined && (
        <Fold title="Stack trace" hint={placeOf(stackTrace)?.slice(0, 200)} isCode>
          {stackTrace.length > MAX_LAID_OUT ? (
            <LongText text={stackTrace} label="stack trace" />
          ) : (
            <CodeBlock text={stackTrace.trimEnd()} label="stack trace" />
          )}
        </Fold>
      )}
      {rest !== undefined && (
        <Fold title="Other fields">
          <JsonContent value={rest} label="other fields" />
        </Fold>
      )}
    </section>
  );
}
