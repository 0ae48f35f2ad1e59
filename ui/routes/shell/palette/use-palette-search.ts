import { type LinkProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { usePaletteSearchQuery } from '#ui/__generated__/usePaletteSearchQuery.graphql.ts';
import { type Findable, readIds } from './palette-items.ts';

const QUERY = graphql`
  query usePaletteSearchQuery(
    $name: String!
    $traceId: String!
    $isTraceId: Boolean!
    $spanId: String!
    $isSpanId: Boolean!
    $sessionId: String!
    $isSessionId: Boolean!
  ) {
    projects(first: 8, filter: { col: name, value: $name }, sort: { col: endTime, dir: desc }) {
      edges {
        node {
          id
          name
        }
      }
    }
    trace: getTraceByOtelId(traceId: $traceId) @include(if: $isTraceId) {
      traceId
      project {
        id
        name
      }
      rootSpan {
        name
      }
    }
    span: getSpanByOtelId(spanId: $spanId) @include(if: $isSpanId) {
      id
      name
      trace {
        traceId
        project {
          id
          name
        }
      }
    }
    session: getProjectSessionById(sessionId: $sessionId) @include(if: $isSessionId) {
      id
      sessionId
      project {
        id
        name
      }
    }
  }
`;

/** What the server found. */
export interface FoundItem extends Findable {
  readonly kind: 'project' | 'trace' | 'span' | 'session';
  readonly detail: string;
  readonly link: LinkProps;
}

/** See {@link usePaletteSearch}. */
export interface PaletteSearch {
  readonly found: readonly FoundItem[];
  readonly isSearching: boolean;
  readonly isFailed: boolean;
}

const DEBOUNCE_MS = 120;
const NOTHING: PaletteSearch = { found: [], isSearching: false, isFailed: false };

/** Projects by a part of their name, and what has the text as its id. */
export function usePaletteSearch(text: string): PaletteSearch {
  const environment = useRelayEnvironment();
  const [search, setSearch] = useState(NOTHING);
  const name = text.trim();
  useEffect(() => {
    setSearch(({ found }) => ({ found, isSearching: name !== '', isFailed: false }));
    const { traceId, spanId, sessionId } = readIds(name);
    const variables = {
      name,
      traceId: traceId ?? '',
      isTraceId: traceId !== undefined,
      spanId: spanId ?? '',
      isSpanId: spanId !== undefined,
      sessionId: sessionId ?? '',
      isSessionId: sessionId !== undefined,
    };
    let request: { unsubscribe: () => void } | undefined;
    const timer = setTimeout(
      () => {
        request = fetchQuery<usePaletteSearchQuery>(environment, QUERY, variables).subscribe({
          next: (data) => setSearch({ found: toItems(data), isSearching: false, isFailed: false }),
          error: () => setSearch({ found: [], isSearching: false, isFailed: true }),
        });
      },
      name === '' ? 0 : DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      request?.unsubscribe();
    };
  }, [environment, name]);
  return search;
}

function toItems({ projects, trace, span, session }: usePaletteSearchQuery['response']): readonly FoundItem[] {
  const items: FoundItem[] = [];
  if (trace != null) {
    items.push({
      id: `trace ${trace.project.id} ${trace.traceId}`,
      group: 'Jump to',
      kind: 'trace',
      label: trace.rootSpan?.name ?? trace.traceId,
      detail: `Trace in ${trace.project.name}`,
      link: {
        to: '/projects/$projectId/traces/$traceId',
        params: { projectId: trace.project.id, traceId: trace.traceId },
      },
    });
  }
  if (span != null) {
    const { traceId, project } = span.trace;
    items.push({
      id: `span ${span.id}`,
      group: 'Jump to',
      kind: 'span',
      label: span.name,
      detail: `Span in ${project.name}`,
      link: {
        to: '/projects/$projectId/traces/$traceId',
        params: { projectId: project.id, traceId },
        search: { selectedSpanNodeId: span.id },
      },
    });
  }
  if (session != null) {
    items.push({
      id: `session ${session.id}`,
      group: 'Jump to',
      kind: 'session',
      label: session.sessionId,
      detail: `Session in ${session.project.name}`,
      link: {
        to: '/projects/$projectId/sessions/$sessionId',
        params: { projectId: session.project.id, sessionId: session.id },
      },
    });
  }
  for (const { node } of projects.edges) {
    items.push({
      id: `project ${node.id}`,
      group: 'Projects',
      kind: 'project',
      label: node.name,
      detail: '',
      link: { to: '/projects/$projectId', params: { projectId: node.id } },
    });
  }
  return items;
}
