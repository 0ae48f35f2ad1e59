import { graphql } from 'react-relay';
import type { firstTraceQuery } from '#ui/__generated__/firstTraceQuery.graphql.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useProjectView } from '../project/project-view.ts';
import { Onboarding } from './onboarding.tsx';

/** How to send the first trace, in place of a page that has nothing to show before. */
export function FirstTrace() {
  const { projectId } = useProjectView();
  const { project } = useQuery<firstTraceQuery>(
    graphql`
      query firstTraceQuery($projectId: ID!) {
        project: node(id: $projectId) {
          ... on Project {
            name
          }
        }
      }
    `,
    { projectId },
  );
  return <Onboarding projectId={projectId} project={project.name ?? ''} />;
}
