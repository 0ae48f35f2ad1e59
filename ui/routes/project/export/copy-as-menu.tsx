import { Braces } from 'lucide-react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { copyAsMenuQuery } from '#ui/__generated__/copyAsMenuQuery.graphql.ts';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { copyText } from '#ui/lib/clipboard.ts';
import { describeError } from '#ui/lib/describe-error.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { COPY_FORMS, copyAs, type CopyForm } from './copy-as.ts';

const QUERY = graphql`
  query copyAsMenuQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        name
      }
    }
  }
`;

/** Copies what finds the rows of the table elsewhere. */
export function CopyAsMenu({ scope }: { readonly scope: ListScope }) {
  const { sort, noun } = useListContext();
  const environment = useRelayEnvironment();
  async function copy(form: CopyForm, label: string): Promise<void> {
    const { projectId, grain, filter, timeRange } = scope;
    const read = fetchQuery<copyAsMenuQuery>(environment, QUERY, { projectId }, { fetchPolicy: 'store-or-network' });
    const projectName = (await read.toPromise())?.project.name ?? '';
    const url = `${location.origin}${serverConfig.rootPath}`;
    await copyText(
      copyAs(form, { url, needsKey: serverConfig.authEnabled, projectId, projectName, grain, filter, timeRange, sort }),
    );
    showToast({ tone: 'success', title: `Copied as ${label}`, description: `It fetches the ${noun} of this table.` });
  }
  return (
    <MenuTrigger>
      <IconButton icon={Braces} label="Copy as code" />
      <Menu label="Copy as" placement="bottom end">
        {COPY_FORMS.map(({ id, label }) => (
          <MenuItem
            key={id}
            onAction={() =>
              void copy(id, label).catch((error: unknown) =>
                showToast({ tone: 'danger', title: 'The code could not be copied', description: describeError(error) }),
              )
            }
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}
