/** Which tab an address opens that names a project alone. */
import { fetchQuery, graphql } from 'react-relay';
import { DEFAULT_TABS, type DefaultTab } from '#domain/project';
import type { tabToOpenQuery } from '#ui/__generated__/tabToOpenQuery.graphql.ts';
import { relayEnvironment } from '#ui/lib/relay-environment.ts';
import { rememberedTab } from './remembered.ts';

const QUERY = graphql`
  query tabToOpenQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        defaultTab
      }
    }
  }
`;

/** The project's default tab; without one, and where the server does not say, the table that this browser used last. */
export async function tabToOpen(projectId: string): Promise<DefaultTab> {
  const answer = await fetchQuery<tabToOpenQuery>(relayEnvironment, QUERY, { projectId })
    .toPromise()
    // The page of the tab tells what is wrong.
    .catch(() => undefined);
  return readDefaultTab(answer?.project.defaultTab) ?? rememberedTab(projectId);
}

/** The tab that the server names; undefined for none, and for one that this page does not know yet. */
export function readDefaultTab(value: string | null | undefined): DefaultTab | undefined {
  return DEFAULT_TABS.find((tab) => tab === value);
}
