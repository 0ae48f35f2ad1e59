import { Suspense } from 'react';
import { graphql } from 'react-relay';
import type { readingCardQuery } from '#ui/__generated__/readingCardQuery.graphql.ts';
import { Badge } from '#ui/components/badge.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Card } from '#ui/components/panel.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { useQuery } from '#ui/lib/use-query.ts';
import { Fold } from './fold.tsx';
import styles from './reading-card.module.css';

const QUERY = graphql`
  query readingCardQuery($id: ID!) {
    span: node(id: $id) {
      ... on Span {
        reading {
          isComplete
          dialects {
            name
            title
            evidence
          }
          sources {
            label
            count
            fate
            to
            fault
          }
        }
      }
    }
  }
`;

/** Which dialects were recognised in a span, and what became of everything that it sent. It loads by itself. */
export function ReadingCard({ spanNodeId }: { readonly spanNodeId: string }) {
  return (
    <Card title="How this span was read">
      <ErrorBoundary fallbackTitle="How this span was read could not be shown" resetKey={spanNodeId}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <LoadedReading spanNodeId={spanNodeId} />
        </Suspense>
      </ErrorBoundary>
    </Card>
  );
}

type Reading = NonNullable<readingCardQuery['response']['span']['reading']>;
type Source = Reading['sources'][number];

function LoadedReading({ spanNodeId }: { readonly spanNodeId: string }) {
  // Log records that belong to the span may come later, and a server may know more dialects than the one before it.
  const { span } = useQuery<readingCardQuery>(QUERY, { id: spanNodeId }, { fetchPolicy: 'store-and-network' });
  const { reading } = span;
  return reading == null ? null : <ReadingView reading={reading} />;
}

function ReadingView({ reading: { dialects, sources, isComplete } }: { readonly reading: Reading }) {
  const translated = sources.filter(({ fate }) => fate === 'translated');
  return (
    <div className={styles.reading}>
      {!isComplete && (
        <p className={styles.note}>The span is too large to be explained in full; some of it may be missing here.</p>
      )}
      <ul className={styles.dialects} aria-label="Dialects">
        {dialects.map(({ name, title, evidence }) => (
          <li key={name}>
            <span className={styles.dialect}>{title}</span>
            <span className={styles.note}>
              {evidence == null ? 'applies to every span' : `detected by ${evidence}`}
            </span>
          </li>
        ))}
      </ul>
      {translated.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Sent</th>
              <th scope="col">Shown as</th>
            </tr>
          </thead>
          <tbody>
            {translated.map((source) => (
              <tr key={source.label}>
                <th scope="row">
                  <SourceLabel source={source} />
                </th>
                <td>
                  {source.to.map((key) => (
                    <code key={key} className={styles.key}>
                      {key}
                    </code>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {FATES.map(({ fate, title }) => (
        <SourceList key={fate} title={title} sources={sources.filter((source) => source.fate === fate)} />
      ))}
    </div>
  );
}

/** What was not translated, by why. */
const FATES: readonly { readonly fate: Source['fate']; readonly title: string }[] = [
  { fate: 'openinference', title: 'Sent as OpenInference, shown unchanged' },
  { fate: 'unused', title: 'Recognised, but another source says the same or more' },
  { fate: 'empty', title: 'JSON without content' },
  { fate: 'raw', title: 'Not recognised, shown as sent' },
];

function SourceList({ title, sources }: { readonly title: string; readonly sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  const count = sources.reduce((sum, source) => sum + source.count, 0);
  return (
    <Fold
      title={`${title} (${count})`}
      hint={sources
        .map(({ label }) => label)
        .join(', ')
        .slice(0, 200)}
      isCode
    >
      <ul className={styles.list}>
        {sources.map((source) => (
          <li key={source.label}>
            <SourceLabel source={source} />
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function SourceLabel({ source: { label, count, fault } }: { readonly source: Source }) {
  return (
    <>
      <code className={styles.key}>{label}</code>
      {count > 1 && <span className={styles.note}> {count} times</span>}
      {fault != null && (
        <Badge tone="warning" className={styles.fault}>
          {fault}
        </Badge>
      )}
    </>
  );
}
