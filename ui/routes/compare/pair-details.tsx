import { Suspense, useMemo, useRef } from 'react';
import { graphql } from 'react-relay';
import { isJsonObject, type JsonObject, tryParseJson } from '#base/json';
import { completeAttributes } from '#domain/derived-attributes';
import type { pairDetailsQuery } from '#ui/__generated__/pairDetailsQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useSettled } from '../trace/use-settled.ts';
import type { AlignedNode } from './model/align.ts';
import { nameOf } from './compare-row.tsx';
import { readPairSections, type ComparedSpan } from './model/pair-sections.ts';
import { OneSide } from './one-side.tsx';
import styles from './pair-details.module.css';
import { type PairFigures, PairHeader } from './pair-header.tsx';
import { PairSections } from './pair-sections.tsx';
import type { TraceRef } from './use-comparison.ts';

const QUERY = graphql`
  query pairDetailsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      __typename
      ... on Span {
        id
        spanKind
        statusCode
        statusMessage
        latencyMs
        tokenCountPrompt
        tokenCountCompletion
        tokenCountTotal
        costSummary {
          ...costs_summary
        }
        attributes
        derivedAttributes
      }
    }
  }
`;

/** Narrower than this two texts do not fit beside each other. */
const SPLIT_PX = 560;

/** See {@link PairDetails}. */
export interface PairDetailsProps {
  readonly node: AlignedNode | undefined;
  readonly a: TraceRef;
  readonly b: TraceRef;
}

/** The selected pair: both spans side by side; or the span that one trace alone has. */
export function PairDetails({ node, a, b }: PairDetailsProps) {
  // While arrow keys pass many rows, the pair that was there stays.
  const shown = useSettled(node);
  if (shown === undefined) return <EmptyState title="No span is selected" />;
  const [left, right] = [shown.left?.span, shown.right?.span];
  if (left == null && right == null) {
    return (
      <EmptyState title="This span has not been received">
        Other spans name it as their parent. It may still be running, or it was sent elsewhere.
      </EmptyState>
    );
  }
  if (left == null || right == null) {
    return <OneSide spanNodeId={(left ?? right)?.id ?? ''} side={left == null ? 'B' : 'A'} />;
  }
  return (
    <ErrorBoundary fallbackTitle="The pair could not be shown" resetKey={shown.key}>
      <Suspense fallback={<DetailsSkeleton />}>
        <LoadedPair key={shown.key} node={shown} leftId={left.id} rightId={right.id} a={a} b={b} />
      </Suspense>
    </ErrorBoundary>
  );
}

interface LoadedPairProps extends Pick<PairDetailsProps, 'a' | 'b'> {
  readonly node: AlignedNode;
  readonly leftId: string;
  readonly rightId: string;
}

function LoadedPair({ node, leftId, rightId, a, b }: LoadedPairProps) {
  const { nodes } = useQuery<pairDetailsQuery>(
    QUERY,
    { ids: [leftId, rightId] },
    // A span that has ended since is read again.
    { version: `${node.left?.endMs} ${node.right?.endMs}`, fetchPolicy: 'store-and-network' },
  );
  const body = useRef<HTMLDivElement>(null);
  const isSplit = useElementWidth(body) >= SPLIT_PX;
  const [left, right] = [toSpan(nodes[0]), toSpan(nodes[1])];
  const sections = useMemo(
    () =>
      left === undefined || right === undefined ? undefined : readPairSections(toCompared(left), toCompared(right)),
    [left, right],
  );
  return (
    <section ref={body} className={styles.details} aria-label={`Pair ${nameOf(node)}`}>
      {left === undefined || right === undefined || sections === undefined ? (
        <EmptyState title="One of these spans does not exist any more">
          Its trace was deleted, or the address is of an earlier state of it.
        </EmptyState>
      ) : (
        <>
          <PairHeader node={node} figures={toFigures(left, right)} a={a} b={b} />
          <PairSections sections={sections} isSplit={isSplit} />
        </>
      )}
    </section>
  );
}

type Span = Extract<NonNullable<pairDetailsQuery['response']['nodes'][number]>, { __typename: 'Span' }>;

function toSpan(node: pairDetailsQuery['response']['nodes'][number] | undefined): Span | undefined {
  return node?.__typename === 'Span' ? node : undefined;
}

function toCompared({ spanKind, attributes, derivedAttributes, statusMessage }: Span): ComparedSpan {
  const reading = completeAttributes(parseAttributes(attributes ?? '{}'), parseAttributes(derivedAttributes ?? '{}'));
  return { kind: spanKind, attributes: reading, statusMessage: statusMessage ?? '' };
}

function parseAttributes(text: string): JsonObject {
  const value = tryParseJson(text);
  return isJsonObject(value) ? value : { unreadable: text };
}

function toFigures(left: Span, right: Span): PairFigures {
  return {
    time: { left: left.latencyMs ?? null, right: right.latencyMs ?? null },
    prompt: { left: left.tokenCountPrompt ?? null, right: right.tokenCountPrompt ?? null },
    completion: { left: left.tokenCountCompletion ?? null, right: right.tokenCountCompletion ?? null },
    cost: { left: left.costSummary ?? null, right: right.costSummary ?? null },
    status: { left: left.statusCode, right: right.statusCode },
  };
}

function DetailsSkeleton() {
  return (
    <section className={styles.skeleton} aria-busy="true" aria-label="Loading the pair">
      <Skeleton width="40%" height={22} />
      <Skeleton height={80} />
      <Skeleton lines={6} />
    </section>
  );
}
