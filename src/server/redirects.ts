/** Stable addresses: from an id that others know, such as one in a log, to the page of the object. */
import { formatGlobalId } from '#base/global-id';
import type { Caller, ForCaller } from '#domain/caller';
import { toOtelId } from '#resources/traces/operations';
import type { ProjectStore } from '#store/projects/port';
import type { ReadPorts } from '#store/read-ports';

/** The path of an object's page, below the root path; `undefined` where nothing has the id. */
export type FindPage = (caller: Caller, kind: string, id: string) => Promise<string | undefined>;

/** What the addresses are looked up in. */
export interface RedirectStores {
  readonly projects: ForCaller<ProjectStore>;
  readonly spans: ForCaller<ReadPorts['spans']>;
}

/** Finds pages by what senders call their objects. Ids from outside are encoded, so that none becomes another path. */
export function findPageIn({ projects, spans }: RedirectStores): FindPage {
  return async (caller, kind, id) => {
    switch (kind) {
      case 'projects': {
        const project = await projects(caller).findProject({ name: id });
        return project && projectPath(project.rowId);
      }
      case 'traces': {
        const trace = await spans(caller).findTraceByOtelId(toOtelId('trace', id));
        return trace && tracePath(trace);
      }
      case 'spans': {
        const span = await spans(caller).findSpanByOtelId(toOtelId('span', id));
        const trace = span && (await spans(caller).findTraces([span.traceRowId])).get(span.traceRowId);
        const selected = encodeURIComponent(formatGlobalId('Span', span?.rowId ?? 0));
        return trace && `${tracePath(trace)}?selectedSpanNodeId=${selected}`;
      }
      case 'sessions': {
        const session = await spans(caller).findSession({ sessionId: id });
        if (session === undefined) return undefined;
        const { projectRowId, rowId } = session;
        return `${projectPath(projectRowId)}/sessions/${encodeURIComponent(formatGlobalId('ProjectSession', rowId))}`;
      }
      default:
        return undefined;
    }
  };
}

function projectPath(rowId: number): string {
  return `/projects/${encodeURIComponent(formatGlobalId('Project', rowId))}`;
}

function tracePath({ projectRowId, traceId }: { readonly projectRowId: number; readonly traceId: string }): string {
  return `${projectPath(projectRowId)}/traces/${encodeURIComponent(traceId)}`;
}
