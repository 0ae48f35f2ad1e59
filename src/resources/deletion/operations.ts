/** Deleting and moving what is stored, by the ids that people have of it. */
import { UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import type { Caller, ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import type { TraceStretch } from '#store/deletion/deletion';
import type { TelemetryRemover } from '#store/deletion/port';
import type { ProjectStore } from '#store/projects/port';
import type { TelemetryBrowser } from '#store/spans/browse-port';
import type { SpanStore, TraceRow } from '#store/spans/port';
import { getProject } from '../projects/operations.ts';
import { toOtelId, toSessionRef } from '../traces/operations.ts';

/** What deleting works with. */
export interface RemovalParts {
  readonly projects: ForCaller<ProjectStore>;
  readonly spans: ForCaller<
    Pick<SpanStore, 'findSession'> &
      Pick<TelemetryBrowser, 'findTraces' | 'findTraceByOtelId' | 'findSpans' | 'findSpanByOtelId' | 'findSessions'>
  >;
  readonly remover: ForCaller<TelemetryRemover>;
}

/** Things that one call deletes or moves at most. */
export const MAX_IDS = 1000;

/** Deletes a project with all that it holds. @throws AppError `not_found`, or `permission_denied` for the project `default` */
export async function deleteProject(caller: Caller, { remover }: RemovalParts, projectRowId: number): Promise<void> {
  if (!(await remover(caller).deleteProject(projectRowId)))
    throw new AppError('not_found', 'There is no such project.');
}

/** Deletes the traces of a project that start in a stretch of time, `[start, end)`; an end that is `null` is open. */
export async function deleteProjectTraces(
  caller: Caller,
  { remover }: RemovalParts,
  projectRowId: number,
  { startTimeUs, endTimeUs }: { readonly startTimeUs: number | null; readonly endTimeUs: number | null },
): Promise<void> {
  const stretch: TraceStretch = {
    startTimeUs,
    before: endTimeUs === null ? null : { startTimeUs: endTimeUs, rowId: 0 },
  };
  if ((await remover(caller).deleteTraces(projectRowId, stretch)) === undefined) {
    throw new AppError('not_found', 'There is no such project.');
  }
}

/** Deletes a trace by its id or OpenTelemetry id. @throws AppError `not_found` */
export async function deleteTrace(caller: Caller, parts: RemovalParts, identifier: string): Promise<void> {
  const trace = await findTrace(caller, parts, identifier);
  if (trace === undefined) throw new AppError('not_found', `There is no trace ${identifier}.`);
  await parts.remover(caller).deleteTraces(trace.projectRowId, { traceRowIds: [trace.rowId] });
}

/**
 * Deletes traces of one project.
 * @throws AppError `not_found` where one is not there, and `invalid_argument` where they are of several projects
 */
export async function deleteTraces(caller: Caller, parts: RemovalParts, traceRowIds: readonly number[]): Promise<void> {
  const traces = await parts.spans(caller).findTraces(traceRowIds);
  const projectRowId = projectOf(traceRowIds.map((rowId) => traces.get(rowId)));
  await parts.remover(caller).deleteTraces(projectRowId, { traceRowIds });
}

/** Deletes a span by its id or OpenTelemetry id. @throws AppError `not_found` */
export async function deleteSpan(caller: Caller, { spans, remover }: RemovalParts, identifier: string): Promise<void> {
  const rowId =
    parseGlobalId('Span', identifier) ?? (await spans(caller).findSpanByOtelId(toOtelId('span', identifier)))?.rowId;
  const isDeleted = rowId !== undefined && (await remover(caller).deleteSpan(rowId));
  if (!isDeleted) throw new AppError('not_found', `There is no span ${identifier}.`);
}

/** Deletes a session by its id or text, in one project where that is given, with all its traces. @throws AppError `not_found` */
export async function deleteSession(
  caller: Caller,
  { spans, remover }: RemovalParts,
  identifier: string,
  project: Project | undefined,
): Promise<void> {
  const session = await spans(caller).findSession(toSessionRef(identifier), project?.rowId);
  if (session === undefined) throw new AppError('not_found', `There is no session ${identifier}.`);
  await remover(caller).deleteTraces(session.projectRowId, { sessionRowIds: [session.rowId] });
}

/**
 * Deletes sessions, all named by their ids or all by their texts; those that are not there are passed over.
 * @throws UnprocessableError where ids and texts are mixed
 */
export async function deleteSessions(
  caller: Caller,
  { spans, remover }: RemovalParts,
  identifiers: readonly string[],
): Promise<void> {
  const refs = [...new Set(identifiers)].map(toSessionRef);
  if (refs.some((ref) => 'rowId' in ref) && refs.some((ref) => 'sessionId' in ref)) {
    throw new UnprocessableError(
      'Name all sessions by their global ids, or all by the ids that the application gave them.',
    );
  }
  const found = await Promise.all(refs.map((ref) => spans(caller).findSession(ref)));
  const sessions = found.filter((session) => session !== undefined);
  for (const [projectRowId, ofProject] of Map.groupBy(sessions, (session) => session.projectRowId)) {
    await remover(caller).deleteTraces(projectRowId, { sessionRowIds: ofProject.map(({ rowId }) => rowId) });
  }
}

/** What was moved, and where to. */
export interface Transfer {
  readonly traceCount: number;
  readonly projectRowId: number;
}

/**
 * Moves traces of one project, named by their ids or OpenTelemetry ids, to another; each once.
 * @throws AppError `not_found` where the project or a trace is not there
 * @throws UnprocessableError where they are of several projects
 */
export async function transferTraces(
  caller: Caller,
  parts: RemovalParts,
  identifiers: readonly string[],
  projectIdentifier: string,
): Promise<Transfer> {
  const project = await getProject(caller, parts.projects, projectIdentifier);
  const traces = await Promise.all([...new Set(identifiers)].map((identifier) => findTrace(caller, parts, identifier)));
  return moveTo(caller, parts, traces, project.rowId);
}

/** The same by row ids. @throws AppError `invalid_argument` where the list is empty, or they are of several projects */
export async function transferTracesByRow(
  caller: Caller,
  parts: RemovalParts,
  traceRowIds: readonly number[],
  projectRowId: number,
): Promise<Transfer> {
  const traces = await parts.spans(caller).findTraces(traceRowIds);
  return moveTo(
    caller,
    parts,
    traceRowIds.map((rowId) => traces.get(rowId)),
    projectRowId,
  );
}

async function moveTo(
  caller: Caller,
  { remover }: RemovalParts,
  traces: readonly (TraceRow | undefined)[],
  projectRowId: number,
): Promise<Transfer> {
  projectOf(traces);
  const rowIds = new Set(traces.flatMap((trace) => trace?.rowId ?? []));
  const moved = await remover(caller).moveTraces([...rowIds], projectRowId);
  if (moved === undefined) throw new AppError('not_found', 'A trace or the project no longer exists.');
  return { traceCount: moved.traceCount, projectRowId };
}

function projectOf(traces: readonly (TraceRow | undefined)[]): number {
  const [first, ...others] = traces;
  if (traces.includes(undefined)) throw new AppError('not_found', 'Some of these traces do not exist.');
  if (first === undefined) throw new UnprocessableError('Name at least one trace.');
  if (others.some((trace) => trace?.projectRowId !== first.projectRowId)) {
    throw new UnprocessableError('These traces belong to several projects: name traces of one project.');
  }
  return first.projectRowId;
}

async function findTrace(caller: Caller, { spans }: RemovalParts, identifier: string): Promise<TraceRow | undefined> {
  const rowId = parseGlobalId('Trace', identifier);
  if (rowId === undefined) return spans(caller).findTraceByOtelId(toOtelId('trace', identifier));
  return (await spans(caller).findTraces([rowId])).get(rowId);
}
