/** Every address of the pages. A page's code is loaded when it is first shown. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { serverConfig } from './lib/server-config.ts';
import { readMetricsSearch } from './routes/metrics/metrics-search.ts';
import { NotFoundPage } from './routes/not-found/not-found-page.tsx';
import { readListSearch, readPeekSearch, readProjectSearch } from './routes/project/project-search.ts';
import { rememberedTab } from './routes/project/remembered.ts';
import { readSearchAddress } from './routes/search/search-address.ts';
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
  component: lazyRouteComponent(() => import('./routes/projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  validateSearch: readProjectSearch,
  component: lazyRouteComponent(() => import('./routes/project/project-layout.tsx'), 'ProjectLayout'),
});
const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params, search }) => {
    redirect({
      to: `/projects/$projectId/${rememberedTab(params.projectId)}`,
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
  component: lazyRouteComponent(() => import('./routes/project/spans-page.tsx'), 'SpansPage'),
});
const traces = createRoute({
  getParentRoute: () => project,
  path: 'traces',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./routes/project/traces-page.tsx'), 'TracesPage'),
});
const sessions = createRoute({
  getParentRoute: () => project,
  path: 'sessions',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./routes/project/sessions-page.tsx'), 'SessionsPage'),
});
const metrics = createRoute({
  getParentRoute: () => project,
  path: 'metrics',
  validateSearch: readMetricsSearch,
  component: lazyRouteComponent(() => import('./routes/metrics/metrics-page.tsx'), 'MetricsPage'),
});
const search = createRoute({
  getParentRoute: () => project,
  path: 'search',
  validateSearch: readSearchAddress,
  component: lazyRouteComponent(() => import('./routes/search/search-page.tsx'), 'SearchPage'),
});
const spanTrace = createRoute({
  getParentRoute: () => spans,
  path: '$traceId',
  validateSearch: readPeekSearch,
  component: lazyRouteComponent(() => import('./routes/project/trace-peek.tsx'), 'TracePeek'),
});
const trace = createRoute({
  getParentRoute: () => traces,
  path: '$traceId',
  validateSearch: readPeekSearch,
  component: lazyRouteComponent(() => import('./routes/project/trace-peek.tsx'), 'TracePeek'),
});
const foundTrace = createRoute({
  getParentRoute: () => search,
  path: '$traceId',
  validateSearch: readPeekSearch,
  component: lazyRouteComponent(() => import('./routes/project/trace-peek.tsx'), 'TracePeek'),
});
const session = createRoute({
  getParentRoute: () => sessions,
  path: '$sessionId',
  validateSearch: readPeekSearch,
  component: lazyRouteComponent(() => import('./routes/project/session-peek.tsx'), 'SessionPeek'),
});

/** By ids that others know; each leads to the object's page. */
const redirects = createRoute({
  getParentRoute: () => root,
  path: '/redirects/$kind/$',
  component: lazyRouteComponent(() => import('./routes/redirects/redirects-page.tsx'), 'RedirectsPage'),
});

const routeTree = root.addChildren([
  home,
  projects,
  project.addChildren([
    projectHome,
    spans.addChildren([spanTrace]),
    traces.addChildren([trace]),
    sessions.addChildren([session]),
    metrics,
    search.addChildren([foundTrace]),
  ]),
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
}
