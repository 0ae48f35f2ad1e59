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
    $prefix: String!
    $isPrefix: Boolean!
    $sessionPrefix: String!
    $isSessionPrefix: Boolean!
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
    traces: tracesByIdPrefix(prefix: $prefix) @include(if: $isPrefix) {
      traceId
      project {
        id
        name
      }
      rootSpan {
        name
      }
    }
    spans: spansByIdPrefix(prefix: $prefix) @include(if: $isPrefix) {
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
    sessions: sessionsByIdPrefix(prefix: $sessionPrefix) @include(if: $isSessionPrefix) {
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
    const { traceId, spanId, sessionId, prefix, sessionPrefix } = readIds(name);
    const variables = {
      name,
      traceId: traceId ?? '',
      isTraceId: traceId !== undefined,
      spanId: spanId ?? '',
      isSpanId: spanId !== undefined,
      sessionId: sessionId ?? '',
      isSessionId: sessionId !== undefined,
      prefix: prefix ?? '',
      isPrefix: prefix !== undefined,
      sessionPrefix: sessionPrefix ?? '',
      isSessionPrefix: sessionPrefix !== undefined,
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

function toItems({
  projects,
  trace,
  span,
  session,
  traces,
  spans,
  sessions,
}: usePaletteSearchQuery['response']): readonly FoundItem[] {
  const byId = new Map<string, FoundItem>();
  const add = (item: FoundItem) => void byId.set(item.id, item);
  for (const one of [trace, ...(traces ?? [])]) if (one != null) add(toTrace(one));
  for (const one of [span, ...(spans ?? [])]) if (one != null) add(toSpan(one));
  for (const one of [session, ...(sessions ?? [])]) if (one != null) add(toSession(one));
  for (const { node } of projects.edges) {
    add({
      id: `project ${node.id}`,
      group: 'Projects',
      kind: 'project',
      label: node.name,
      detail: '',
      link: { to: '/projects/$projectId', params: { projectId: node.id } },
    });
  }
  return [...byId.values()];
}

type Found<Key extends 'trace' | 'span' | 'session'> = NonNullable<usePaletteSearchQuery['response'][Key]>;

function toTrace({ traceId, project, rootSpan }: Found<'trace'>): FoundItem {
  return {
    id: `trace ${project.id} ${traceId}`,
    group: 'Jump to',
    kind: 'trace',
    label: rootSpan?.name ?? traceId,
    detail: `Trace in ${project.name}`,
    link: { to: '/projects/$projectId/traces/$traceId', params: { projectId: project.id, traceId } },
  };
}

function toSpan({ id, name, trace: { traceId, project } }: Found<'span'>): FoundItem {
  return {
    id: `span ${id}`,
    group: 'Jump to',
    kind: 'span',
    label: name,
    detail: `Span in ${project.name}`,
    link: {
      to: '/projects/$projectId/traces/$traceId',
      params: { projectId: project.id, traceId },
      search: { selectedSpanNodeId: id },
    },
  };
}

function toSession({ id, sessionId, project }: Found<'session'>): FoundItem {
  return {
    id: `session ${id}`,
    group: 'Jump to',
    kind: 'session',
    label: sessionId,
    detail: `Session in ${project.name}`,
    link: { to: '/projects/$projectId/sessions/$sessionId', params: { projectId: project.id, sessionId: id } },
  };
}
