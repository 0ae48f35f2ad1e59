import { MapPinOff } from 'lucide-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import { graphql } from 'react-relay';
import { isJsonObject, type JsonObject, tryParseJson } from '#base/json';
import { completeAttributes } from '#domain/derived-attributes';
import type { spanDetailsQuery } from '#ui/__generated__/spanDetailsQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/components/tabs.tsx';
import { useAttempt } from '#ui/lib/attempt.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { DocumentAnnotations } from '../annotate/document-judgements.tsx';
import { readJudgement } from '../annotate/read-judgement.ts';
import { AttributesTab } from './attributes-tab.tsx';
import { SpanStart } from './event-time.tsx';
import { EventsTab } from './events-tab.tsx';
import { InfoActions } from './info-actions.tsx';
import { InfoTab } from './info-tab.tsx';
import { type RecordedEvent, splitEvents } from './model/events.ts';
import { type ReadableSpan, toReadable } from './readable-span.ts';
import { readCost } from './model/cost.ts';
import { isToldByExceptions } from './model/same-error.ts';
import { readSpanView, type TraceFacts, withoutTraceFacts } from './model/span-view.ts';
import { readTokens } from './model/tokens.ts';
import { OriginTab } from './origin-tab.tsx';
import styles from './span-details.module.css';
import { SpanHeader } from './span-header.tsx';
import { useCards } from './use-cards.ts';
import { useSpanChanges } from './use-span-changes.ts';

const QUERY = graphql`
  query spanDetailsQuery($id: ID!) {
    span: node(id: $id) {
      __typename
      ... on Span {
        id
        name
        spanKind
        statusCode
        statusMessage
        startTime
        endTime
        latencyMs
        tokenCountPrompt
        tokenCountCompletion
        tokenCountTotal
        tokenRemarks {
          kind
          message
        }
        tokenCounting {
          reason
          countedInCount
          countedIn {
            id
            name
          }
          surplus
        }
        countsInSums
        costSummary {
          prompt {
            cost
            tokens
          }
          completion {
            cost
            tokens
          }
          total {
            cost
            tokens
          }
        }
        costDetailSummaryEntries {
          tokenType
          isPrompt
          value {
            cost
            tokens
          }
        }
        cumulativeCostSummary {
          total {
            cost
          }
        }
        computedCost
        reportedCost
        attributes
        derivedAttributes
        damage
        otelResource
        context {
          spanId
          traceId
        }
        events {
          name
          timestamp
          attributes
        }
        logRecords {
          edges {
            node {
              id
            }
          }
          pageInfo {
            hasNextPage
          }
        }
        links {
          traceId
          spanId
          attributes
          span {
            id
            name
          }
        }
        linkedFrom {
          id
          spanId
          name
          context {
            traceId
          }
        }
        instrumentationScope {
          name
          version
        }
        trace {
          projectId
        }
        spanAnnotations {
          id
          ...readJudgement_annotation
        }
        documentEvaluations {
          id
          documentPosition
          ...readJudgement_annotation
        }
      }
    }
  }
`;

/** See {@link SpanDetails}. */
export interface SpanDetailsProps {
  /** Global node id. */
  readonly spanNodeId: string;
  /** What stands in the header of its trace already. */
  readonly traceFacts: TraceFacts;
}

/** Which part of the details is shown; it stays when another span is selected. */
type TabId = 'info' | 'attributes' | 'events' | 'origin';

/** All that is known of a span. It loads by itself and fills its place. */
export function SpanDetails({ spanNodeId, traceFacts }: SpanDetailsProps) {
  const [tab, setTab] = useState<TabId>('info');
  return (
    <ErrorBoundary fallbackTitle="The span could not be shown" resetKey={spanNodeId} missing={<MissingSpan />}>
      <Suspense fallback={<DetailsSkeleton />}>
        <LoadedSpan key={spanNodeId} spanNodeId={spanNodeId} traceFacts={traceFacts} tab={tab} onTabChange={setTab} />
      </Suspense>
    </ErrorBoundary>
  );
}

function MissingSpan() {
  return (
    <EmptyState icon={MapPinOff} title="There is no such span">
      It may have been deleted.
    </EmptyState>
  );
}

interface LoadedSpanProps extends SpanDetailsProps {
  readonly tab: TabId;
  readonly onTabChange: (tab: TabId) => void;
}

function LoadedSpan({ spanNodeId, traceFacts, tab, onTabChange }: LoadedSpanProps) {
  const attempt = useAttempt();
  const [version, setVersion] = useState(0);
  const { span: answered } = useQuery<spanDetailsQuery>(
    QUERY,
    { id: spanNodeId },
    { version, fetchPolicy: attempt + version === 0 ? 'store-or-network' : 'network-only' },
  );
  const span = useMemo(() => (answered.__typename === 'Span' ? toReadable(answered) : undefined), [answered]);
  useSpanChanges(span, () => setVersion((before) => before + 1));
  if (span === undefined) {
    return <MissingSpan />;
  }
  return <SpanContent span={span} traceFacts={traceFacts} tab={tab} onTabChange={onTabChange} />;
}

interface SpanContentProps extends Pick<LoadedSpanProps, 'traceFacts' | 'tab' | 'onTabChange'> {
  readonly span: ReadableSpan;
}

function SpanContent({ span, traceFacts, tab, onTabChange }: SpanContentProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const attributes = useMemo(() => parseAttributes(span.attributes), [span.attributes]);
  const derived = useMemo(() => parseAttributes(span.derivedAttributes), [span.derivedAttributes]);
  const reading = useMemo(() => completeAttributes(attributes, derived), [attributes, derived]);
  const view = useMemo(
    () => withoutTraceFacts(readSpanView(span.spanKind, reading), traceFacts),
    [span.spanKind, reading, traceFacts],
  );
  const cardsState = useCards();
  const tokens = useMemo(() => readTokens(reading, span), [reading, span]);
  const cost = useMemo(() => readCost(span), [span]);
  const events = useMemo(() => splitEvents(span.events as readonly RecordedEvent[]), [span.events]);
  const isErrorTold = useMemo(
    () => isToldByExceptions(span.statusMessage, events.exceptions),
    [span.statusMessage, events],
  );
  const annotations = useMemo(() => span.spanAnnotations.map(readJudgement), [span.spanAnnotations]);
  const documentAnnotations = useMemo(() => {
    const byPosition = Map.groupBy(span.documentEvaluations, ({ documentPosition }) => documentPosition);
    return new Map([...byPosition].map(([position, some]) => [position, some.map(readJudgement)]));
  }, [span.documentEvaluations]);
  const logCount = span.logRecords.edges.length;
  const eventCount = span.events.length + logCount;
  return (
    <section className={styles.details} aria-label={`Span ${revealHidden(span.name)}`}>
      <SpanHeader span={span} annotations={annotations} isErrorTold={isErrorTold} tokens={tokens} cost={cost} />
      {span.damage != null && (
        <p className={styles.damage} role="alert">
          {span.damage} Its attributes and events cannot be shown; what is shown was noted apart from it.
        </p>
      )}
      <Tabs className={styles.tabs} selectedKey={tab} onSelectionChange={(key) => onTabChange(key as TabId)}>
        <div className={styles.tabBar}>
          <TabList aria-label="Span details">
            <Tab id="info">Info</Tab>
            <Tab id="attributes">Attributes</Tab>
            <Tab id="events" count={eventCount > 0 ? eventCount : null} isMore={span.logRecords.pageInfo.hasNextPage}>
              <span className={events.exceptions.length > 0 ? styles.failed : undefined}>Events</span>
            </Tab>
            <Tab id="origin" count={span.links.length > 0 ? span.links.length : null}>
              Origin
            </Tab>
          </TabList>
          {tab === 'info' && <InfoActions cards={view.cards} cardsState={cardsState} />}
        </div>
        <div ref={scroller} className={styles.scroller}>
          <TabPanel id="info">
            <SpanStart value={span.startTime}>
              <DocumentAnnotations value={documentAnnotations}>
                <InfoTab view={view} events={events} logCount={logCount} cardsState={cardsState} scroller={scroller} />
              </DocumentAnnotations>
            </SpanStart>
          </TabPanel>
          <TabPanel id="attributes">
            <AttributesTab attributes={attributes} derived={derived} scroller={scroller} />
          </TabPanel>
          <TabPanel id="events">
            <SpanStart value={span.startTime}>
              <EventsTab spanNodeId={span.id} events={events} attributes={span.attributes} />
            </SpanStart>
          </TabPanel>
          <TabPanel id="origin">
            <OriginTab
              spanNodeId={span.id}
              links={span.links}
              linkedFrom={span.linkedFrom}
              resource={span.otelResource}
              scope={span.instrumentationScope}
            />
          </TabPanel>
        </div>
      </Tabs>
    </section>
  );
}

function parseAttributes(text: string): JsonObject {
  const value = tryParseJson(text);
  return isJsonObject(value) ? value : { unreadable: text };
}

function DetailsSkeleton() {
  return (
    <section className={styles.skeleton} aria-busy="true" aria-label="Loading the span">
      <Skeleton width="40%" height={22} />
      <Skeleton width="70%" height={14} />
      <Skeleton height={120} />
      <Skeleton lines={5} />
    </section>
  );
}
