import { Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { hit_hit$key } from '#ui/__generated__/hit_hit.graphql.ts';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { markRanges, type MarkedRange } from './mark-ranges.ts';
import styles from './hit.module.css';

const PLACES = { input: 'Input', output: 'Output', names: 'Name', errors: 'Error', other: 'Other' } as const;

/** A span that was found: what it is, and the texts that say so. The whole of it is a link to the span. */
export function Hit({ projectId, hit, isOpen }: { projectId: string; hit: hit_hit$key; isOpen: boolean }) {
  const { span, snippets } = useFragment(
    graphql`
      fragment hit_hit on SearchHit {
        span {
          id
          name
          spanKind
          statusCode
          startTime
          parentId
          context {
            traceId
          }
          trace {
            rootSpan {
              name
            }
          }
        }
        snippets {
          place
          text
          hits {
            start
            end
          }
          isCutBefore
          isCutAfter
        }
      }
    `,
    hit,
  );
  const rootName = span.parentId == null ? '' : (span.trace.rootSpan?.name ?? '');
  return (
    <li className={styles.hit} data-open={isOpen || undefined}>
      <div className={styles.head}>
        <KindIcon kind={span.spanKind} />
        <h3 className={styles.name}>
          <Link
            to="/projects/$projectId/search/$traceId"
            params={{ projectId, traceId: span.context.traceId }}
            search={(before) => ({ ...before, selectedSpanNodeId: span.id })}
            replace={isOpen}
            className={styles.link}
            aria-current={isOpen || undefined}
            data-hit={span.id}
          >
            {span.name === '' ? 'Unnamed' : <Name>{span.name}</Name>}
          </Link>
        </h3>
        {rootName !== '' && (
          <span className={styles.trace} title={`In trace ${revealHidden(rootName)}`}>
            in <Name>{rootName}</Name>
          </span>
        )}
        {span.statusCode === 'ERROR' && <StatusMark status="ERROR" />}
        <span className={styles.time}>
          <Timestamp value={span.startTime} style="time" />
        </span>
      </div>
      {snippets.map((snippet, index) => (
        <div key={index} className={styles.snippet}>
          <span className={styles.place}>{PLACES[snippet.place]}</span>
          <p className={styles.text}>
            {snippet.isCutBefore && '…\u00a0'}
            <MarkedText text={snippet.text} ranges={snippet.hits} />
            {snippet.isCutAfter && '\u00a0…'}
          </p>
        </div>
      ))}
    </li>
  );
}

function MarkedText({ text, ranges }: { readonly text: string; readonly ranges: readonly MarkedRange[] }) {
  return markRanges(text, ranges).map((part, index) =>
    part.isHit ? <mark key={index}>{revealHidden(part.text)}</mark> : revealHidden(part.text),
  );
}
