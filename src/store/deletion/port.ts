/** The one door for everyone who takes stored telemetry away, or elsewhere. */
import type { Deletion, TraceSelection } from './deletion.ts';

/** What a deletion of traces came to; nothing of them can be found any more. */
export interface DeletedTraces {
  readonly traceCount: number;
  readonly spanCount: number;
}

/** Deletes and moves. What is deleted is gone from every answer when the call returns, and is erased in the background. */
export interface TelemetryRemover {
  /**
   * All of a project and the project itself; `false` where there is none.
   * @throws AppError `permission_denied` for the project `default`
   */
  deleteProject(projectRowId: number): Promise<boolean>;
  /** Traces of one project that are there already, with the sessions left empty; `undefined` where there is no such project. */
  deleteTraces(projectRowId: number, selection: TraceSelection): Promise<DeletedTraces | undefined>;
  /** One span; its children stay. A trace goes with its last span. `false` where there is none. */
  deleteSpan(spanRowId: number): Promise<boolean>;
  /** Moves traces; `undefined` where the project or any of them is not there, and nothing is moved. */
  moveTraces(
    traceRowIds: readonly number[],
    projectRowId: number,
  ): Promise<{ readonly traceCount: number } | undefined>;
}

/** Reads what was deleted, the latest first. */
export interface DeletionBrowser {
  listDeletions(
    of: { readonly projectRowId: number } | { readonly policyRowId: number },
    limit: number,
  ): Promise<readonly Deletion[]>;
}
