import { expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import type { Project } from '#domain/project';
import type { ProjectFilter, ProjectPageRequest, ProjectRef, ProjectStore } from '#store/projects-port';
import { projectRoutes } from './rest.ts';

const DEMO: Project = {
  rowId: 7,
  name: 'démo / 50%',
  description: null,
  gradientStartColor: '#000000',
  gradientEndColor: '#ffffff',
  createdAtUs: 0,
  updatedAtUs: 0,
};

/** Finds the one project, and answers a page of it whatever is asked. */
class OneProject implements ProjectStore {
  readonly listed: [ProjectFilter, ProjectPageRequest][] = [];
  error: AppError | undefined;

  async listProjects(filter: ProjectFilter, page: ProjectPageRequest) {
    this.listed.push([filter, page]);
    if (this.error !== undefined) throw this.error;
    return { data: [DEMO], nextCursor: null };
  }

  async findProject(ref: ProjectRef) {
    return ('rowId' in ref ? ref.rowId === DEMO.rowId : ref.name === DEMO.name) ? DEMO : undefined;
  }
}

const WIRE = { id: 'UHJvamVjdDo3', name: 'démo / 50%', description: null };

it('lists a page, its cursor present also on the last one', async () => {
  const projects = new OneProject();
  const response = await appOf(projectRoutes(() => projects)).inject('/v1/projects');
  expect(response.json()).toEqual({ data: [WIRE], next_cursor: null });
  expect(projects.listed).toEqual([[{ nameContains: undefined }, { limit: 100, cursor: null }]]);
});

it('narrows by a part of the name, and an empty part does not', async () => {
  const projects = new OneProject();
  const app = appOf(projectRoutes(() => projects));
  await app.inject('/v1/projects?name_contains=%25a_&limit=5&cursor=abc&include_experiment_projects=true');
  await app.inject('/v1/projects?name_contains=');
  expect(projects.listed).toEqual([
    [{ nameContains: '%a_' }, { limit: 5, cursor: 'abc' }],
    [{ nameContains: undefined }, { limit: 100, cursor: null }],
  ]);
});

it.each(['limit=0', 'limit=10001', 'limit=x', 'include_experiment_projects=perhaps'])('refuses %s', async (query) => {
  const response = await appOf(projectRoutes(() => new OneProject())).inject(`/v1/projects?${query}`);
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({ detail: [{ loc: ['query', query.split('=')[0]] }] });
});

it('answers a cursor of another list with 422 and a text', async () => {
  const projects = new OneProject();
  projects.error = new AppError('invalid_argument', 'Invalid cursor: give another.');
  const response = await appOf(projectRoutes(() => projects)).inject('/v1/projects?cursor=x');
  expect([response.statusCode, response.body]).toEqual([422, 'Invalid cursor: give another.']);
});

it.each([DEMO.name, formatGlobalId('Project', DEMO.rowId)])('gets a project by %s', async (identifier) => {
  const app = appOf(projectRoutes(() => new OneProject()));
  const response = await app.inject(`/v1/projects/${encodeURIComponent(identifier)}`);
  expect(response.json()).toEqual({ data: WIRE });
});

it.each(['unknown', formatGlobalId('Project', 8), formatGlobalId('Trace', DEMO.rowId)])(
  'knows no project %s',
  async (identifier) => {
    const response = await appOf(projectRoutes(() => new OneProject())).inject(`/v1/projects/${identifier}`);
    expect([response.statusCode, response.body]).toEqual([404, `There is no project ${identifier}.`]);
  },
);
