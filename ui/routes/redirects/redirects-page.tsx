import { type LinkProps, Navigate, useParams } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { redirectsPageQuery } from '#ui/__generated__/redirectsPageQuery.graphql.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { NotFound, NotFoundPage } from '../not-found/not-found-page.tsx';

const QUERY = graphql`
  query redirectsPageQuery(
    $id: String!
    $isTrace: Boolean!
    $isSpan: Boolean!
    $isSession: Boolean!
    $isProject: Boolean!
  ) {
    trace: getTraceByOtelId(traceId: $id) @include(if: $isTrace) {
      traceId
      projectId
    }
    span: getSpanByOtelId(spanId: $id) @include(if: $isSpan) {
      id
      trace {
        traceId
        projectId
      }
    }
    session: getProjectSessionById(sessionId: $id) @include(if: $isSession) {
      id
      project {
        id
      }
    }
    project: getProjectByName(name: $id) @include(if: $isProject) {
      id
    }
  }
`;

/** What each kind of stable address is found by. */
const KINDS: Readonly<Record<string, string>> = {
  traces: 'No trace has the id',
  spans: 'No span has the id',
  sessions: 'No session has the id',
  projects: 'No project has the name',
};

/** Leads from an id that others know, such as one in a log, to the page of the object. */
export function RedirectsPage() {
  // A name may have slashes of its own.
  const { kind, _splat: id = '' } = useParams({ from: '/redirects/$kind/$' });
  return Object.hasOwn(KINDS, kind) ? <Redirect kind={kind} id={id} /> : <NotFoundPage />;
}

function Redirect({ kind, id }: { readonly kind: string; readonly id: string }) {
  const found = useQuery<redirectsPageQuery>(QUERY, {
    id,
    isTrace: kind === 'traces',
    isSpan: kind === 'spans',
    isSession: kind === 'sessions',
    isProject: kind === 'projects',
  });
  const target = targetOf(found);
  if (target !== undefined) return <Navigate {...target} replace />;
  return (
    <NotFound title={`${KINDS[kind] ?? ''} “${revealHidden(id)}”`}>
      It may not have been sent yet, or it was deleted. Reload the page to look again.
    </NotFound>
  );
}

function targetOf({ trace, span, session, project }: redirectsPageQuery['response']): LinkProps | undefined {
  if (trace != null) {
    return {
      to: '/projects/$projectId/traces/$traceId',
      params: { projectId: trace.projectId, traceId: trace.traceId },
    };
  }
  if (span != null) {
    return {
      to: '/projects/$projectId/traces/$traceId',
      params: { projectId: span.trace.projectId, traceId: span.trace.traceId },
      search: { selectedSpanNodeId: span.id },
    };
  }
  if (session != null) {
    return {
      to: '/projects/$projectId/sessions/$sessionId',
      params: { projectId: session.project.id, sessionId: session.id },
    };
  }
  if (project != null) return { to: '/projects/$projectId', params: { projectId: project.id } };
  return undefined;
}
