/** The one door to stored projects for everyone who reads. */
import type { Page } from '#domain/page';
import type { Project } from '#domain/project';

/** Which projects. */
export interface ProjectFilter {
  /** Part of the name, compared without regard to case by Unicode's rules; nothing in it is a wildcard. */
  readonly nameContains?: string | undefined;
  /** These alone; `null` for all. */
  readonly rowIds?: readonly number[] | null | undefined;
}

/** A project by its row or by its exact name. */
export type ProjectRef = { readonly rowId: number } | { readonly name: string };

/** Which part of the list. */
export interface ProjectPageRequest {
  /** Rows at most, at least 1. */
  readonly limit: number;
  /** From the page before; @throws AppError `invalid_argument` when it is not a cursor of this list. */
  readonly cursor: string | null;
}

/** Orders of a list that is counted: by name without regard to case, by the start of the latest trace, or by arrival. */
export type ProjectSort = 'name' | 'latest_trace' | 'id';

/** Which part of a list that is counted. */
export interface ProjectWindow {
  readonly sort: ProjectSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** Reads projects for people who look around. */
export interface ProjectBrowser {
  countProjects(filter: ProjectFilter): Promise<number>;
  /** Projects without a trace come last in the order of traces. */
  browseProjects(filter: ProjectFilter, window: ProjectWindow): Promise<readonly Project[]>;
  /** In the order of the row ids. */
  findProjects(rowIds: readonly number[]): Promise<readonly (Project | undefined)[]>;
}

/** Reads stored projects. */
export interface ProjectStore {
  /** Newest first, by row id. The cursor is the id of the first project of the next page. */
  listProjects(filter: ProjectFilter, page: ProjectPageRequest): Promise<Page<Project>>;
  findProject(ref: ProjectRef): Promise<Project | undefined>;
}
