/** Every address of the pages. A page's code is loaded when it is first shown. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { codeOf } from './lib/code-of.ts';
import { serverConfig } from './lib/server-config.ts';
import { readAgreementSearch } from './routes/agreement/agreement-search.ts';
import { readReferenceSearch } from './routes/api-reference/reference-search.ts';
import { readCompareSearch } from './routes/compare/compare-search.ts';
import { readExplorerSearch } from './routes/graphql-explorer/explorer-search.ts';
import { readUserSearch, readUsersSearch } from './routes/app-users/users-search.ts';
import { readMetricsSearch } from './routes/metrics/metrics-search.ts';
import { NotFoundPage } from './routes/not-found/not-found-page.tsx';
import { readListSearch, readPeekSearch, readProjectSearch } from './routes/project/project-search.ts';
import { sessionToOpen } from './routes/project/session-to-open.ts';
import { tabToOpen } from './routes/project/tab-to-open.ts';
import { preloadProjects } from './routes/projects/projects-query.ts';
import { readProjectsSearch } from './routes/projects/projects-search.ts';
import { readReviewSearch } from './routes/queues/review/review-search.ts';
import { readSearchAddress } from './routes/search/search-address.ts';
import { readAuditSearch } from './routes/settings/audit/audit-search.ts';
import { CrashPage, RootCrash } from './routes/shell/crash-page.tsx';
import { Shell } from './routes/shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage, errorComponent: RootCrash });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // The router takes what it throws for a way to go on.
    redirect({ to: '/projects', replace: true, throw: true });
  },
});

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  validateSearch: readProjectsSearch,
  loader: ({ location }) => preloadProjects(readProjectsSearch(location.search).sort),
  // The page shows what was asked when somebody pointed at a link to it.
  preloadStaleTime: 2000,
  component: lazyRouteComponent(() => codeOf(import('./routes/projects/projects-page.tsx')), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  validateSearch: readProjectSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/project/project-layout.tsx')), 'ProjectLayout'),
});
const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: async ({ params, search }) => {
    redirect({
      to: `/projects/$projectId/${await tabToOpen(params.projectId)}`,
      params,
      search,
      replace: true,
      throw: true,
    });
  },
});
const spans = createRoute({
  getParentRoute: () => project,
  path: 'spans',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/project/spans-page.tsx')), 'SpansPage'),
});
const traces = createRoute({
  getParentRoute: () => project,
  path: 'traces',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/project/traces-page.tsx')), 'TracesPage'),
});
const sessions = createRoute({
  getParentRoute: () => project,
  path: 'sessions',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/project/sessions-page.tsx')), 'SessionsPage'),
});
const appUsers = createRoute({
  getParentRoute: () => project,
  path: 'users',
  validateSearch: readUsersSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/app-users/users-page.tsx')), 'UsersPage'),
});
const appUser = createRoute({
  getParentRoute: () => project,
  path: 'users/$userParam',
  validateSearch: readUserSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/app-users/user-page.tsx')), 'UserPage'),
});
const metrics = createRoute({
  getParentRoute: () => project,
  path: 'metrics',
  validateSearch: readMetricsSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/metrics/metrics-page.tsx')), 'MetricsPage'),
});
const agreement = createRoute({
  getParentRoute: () => project,
  path: 'agreement',
  validateSearch: readAgreementSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/agreement/agreement-page.tsx')), 'AgreementPage'),
});
const search = createRoute({
  getParentRoute: () => project,
  path: 'search',
  validateSearch: readSearchAddress,
  component: lazyRouteComponent(() => codeOf(import('./routes/search/search-page.tsx')), 'SearchPage'),
});
const config = createRoute({
  getParentRoute: () => project,
  path: 'config',
  component: lazyRouteComponent(
    () => codeOf(import('./routes/project-config/project-config-page.tsx')),
    'ProjectConfigPage',
  ),
});
const savedView = createRoute({
  getParentRoute: () => project,
  path: 'views/$viewId',
  component: lazyRouteComponent(() => codeOf(import('./routes/project/views/open-view-page.tsx')), 'OpenViewPage'),
});
const spanTrace = createRoute({
  getParentRoute: () => spans,
  path: '$traceId',
  validateSearch: readPeekSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/project/trace-peek.tsx')), 'TracePeek'),
});
const trace = createRoute({
  getParentRoute: () => traces,
  path: '$traceId',
  validateSearch: readPeekSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/project/trace-peek.tsx')), 'TracePeek'),
});
const foundTrace = createRoute({
  getParentRoute: () => search,
  path: '$traceId',
  validateSearch: readPeekSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/project/trace-peek.tsx')), 'TracePeek'),
});
const session = createRoute({
  getParentRoute: () => sessions,
  path: '$sessionId',
  validateSearch: readPeekSearch,
  // Applications and logs know a session by its own id.
  beforeLoad: async ({ params, search }) => {
    const sessionId = await sessionToOpen(params.projectId, params.sessionId);
    if (sessionId === undefined) return;
    redirect({
      to: '/projects/$projectId/sessions/$sessionId',
      params: { ...params, sessionId },
      search,
      replace: true,
      throw: true,
    });
  },
  component: lazyRouteComponent(() => codeOf(import('./routes/project/session-peek.tsx')), 'SessionPeek'),
});

const compareTraces = createRoute({
  getParentRoute: () => root,
  path: '/compare/traces',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/compare/compare-page.tsx')), 'ComparePage'),
});

const queues = createRoute({
  getParentRoute: () => root,
  path: '/queues',
  component: lazyRouteComponent(() => codeOf(import('./routes/queues/queues-page.tsx')), 'QueuesPage'),
});
const queue = createRoute({
  getParentRoute: () => root,
  path: '/queues/$queueId',
  component: lazyRouteComponent(() => codeOf(import('./routes/queues/queue-page.tsx')), 'QueuePage'),
});
const review = createRoute({
  getParentRoute: () => root,
  path: '/queues/$queueId/review',
  validateSearch: readReviewSearch,
  staticData: { hasWholeScreen: true },
  component: lazyRouteComponent(() => codeOf(import('./routes/queues/review/review-page.tsx')), 'ReviewPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/settings-layout.tsx')), 'SettingsLayout'),
});
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/settings/general', replace: true, throw: true });
  },
});
const generalSettings = createRoute({
  getParentRoute: () => settings,
  path: 'general',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/general-page.tsx')), 'GeneralPage'),
});
const users = createRoute({
  getParentRoute: () => settings,
  path: 'users',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/users/users-page.tsx')), 'UsersPage'),
});
const user = createRoute({
  getParentRoute: () => users,
  path: '$userId',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/users/user-panel.tsx')), 'UserPanel'),
});
const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: 'api-keys',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/api-keys-page.tsx')), 'ApiKeysPage'),
});
const secrets = createRoute({
  getParentRoute: () => settings,
  path: 'secrets',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/secrets/secrets-page.tsx')), 'SecretsPage'),
});
const models = createRoute({
  getParentRoute: () => settings,
  path: 'models',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/models/models-page.tsx')), 'ModelsPage'),
});
const model = createRoute({
  getParentRoute: () => models,
  path: '$modelId',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/models/model-panel.tsx')), 'ModelPanel'),
});
const annotations = createRoute({
  getParentRoute: () => settings,
  path: 'annotations',
  component: lazyRouteComponent(
    () => codeOf(import('./routes/settings/annotations/annotations-page.tsx')),
    'AnnotationsPage',
  ),
});
const data = createRoute({
  getParentRoute: () => settings,
  path: 'data',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/data/data-page.tsx')), 'DataPage'),
});
const policy = createRoute({
  getParentRoute: () => data,
  path: '$policyId',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/data/policy-panel.tsx')), 'PolicyPanel'),
});
const auditLog = createRoute({
  getParentRoute: () => settings,
  path: 'audit-log',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/audit/audit-page.tsx')), 'AuditPage'),
});
const auditEvent = createRoute({
  getParentRoute: () => auditLog,
  path: '$eventId',
  component: lazyRouteComponent(() => codeOf(import('./routes/settings/audit/event-panel.tsx')), 'EventPanel'),
});

const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: lazyRouteComponent(() => codeOf(import('./routes/profile/profile-page.tsx')), 'ProfilePage'),
});

const apiReference = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  validateSearch: readReferenceSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/api-reference/reference-page.tsx')), 'ReferencePage'),
});
const graphqlExplorer = createRoute({
  getParentRoute: () => root,
  path: '/graphql',
  validateSearch: readExplorerSearch,
  component: lazyRouteComponent(() => codeOf(import('./routes/graphql-explorer/explorer-page.tsx')), 'ExplorerPage'),
});

/** By ids that others know; each leads to the object's page. */
const redirects = createRoute({
  getParentRoute: () => root,
  path: '/redirects/$kind/$',
  component: lazyRouteComponent(() => codeOf(import('./routes/redirects/redirects-page.tsx')), 'RedirectsPage'),
});

const routeTree = root.addChildren([
  home,
  projects,
  project.addChildren([
    projectHome,
    spans.addChildren([spanTrace]),
    traces.addChildren([trace]),
    sessions.addChildren([session]),
    appUsers,
    appUser,
    metrics,
    agreement,
    search.addChildren([foundTrace]),
    config,
    savedView,
  ]),
  compareTraces,
  queues,
  queue,
  review,
  settings.addChildren([
    settingsHome,
    generalSettings,
    users.addChildren([user]),
    apiKeys,
    secrets,
    models.addChildren([model]),
    annotations,
    data.addChildren([policy]),
    auditLog.addChildren([auditEvent]),
  ]),
  profile,
  apiReference,
  graphqlExplorer,
  redirects,
]);

/** The pages' router. */
export const router = createRouter({
  routeTree,
  basepath: serverConfig.rootPath === '' ? '/' : serverConfig.rootPath,
  defaultPreload: 'intent',
  defaultErrorComponent: CrashPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** Whether the page stands without the navigation. */
    readonly hasWholeScreen?: true;
  }
}
