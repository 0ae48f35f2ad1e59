/** All REST routes, and the document made of them. */
import type { Registry } from 'prom-client';
import { CAIRN_VERSION } from '#base/version';
import { describeRoutes, type OpenApiDocument } from '#api/rest/openapi';
import type { Route } from '#api/rest/route';
import { projectRoutes } from '#resources/projects/rest';
import { sessionRoutes } from '#resources/sessions/rest';
import { spanRoutes } from '#resources/spans/rest';
import { traceRoutes } from '#resources/traces/rest';
import type { ProjectStore } from '#store/projects-port';
import type { SpanStore } from '#store/spans/port';
import { docsRoutes } from './docs-page.ts';
import { serviceRoutes } from './service-routes.ts';

/** What the routes work with. */
export interface RouteParts {
  readonly projects: ProjectStore;
  readonly spans: SpanStore;
  readonly isReady: () => Promise<boolean>;
  readonly registry: Registry;
}

/** The route table. Nothing of the parts is used before a request needs it. */
export function createRouteTable({ projects, spans, isReady, registry }: RouteParts): readonly Route[] {
  const routes: readonly Route[] = [
    ...projectRoutes(projects),
    ...traceRoutes(projects, spans),
    ...sessionRoutes(projects, spans),
    ...spanRoutes(projects, spans),
    ...serviceRoutes(isReady, registry),
    ...docsRoutes(() => describeApi(routes)),
  ];
  return routes;
}

/** The OpenAPI document of this server. */
export function describeApi(routes: readonly Route[]): OpenApiDocument {
  return describeRoutes(routes, {
    title: 'Cairn',
    version: CAIRN_VERSION,
    description: 'Traces of LLM applications: send them over OTLP to `/v1/traces`, read them here.',
  });
}
