import { Download } from 'lucide-react';
import { useRelayEnvironment } from 'react-relay';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { isVisible } from '#ui/lib/columns.ts';
import { exportGroups } from '../groups/export-groups.ts';
import type { Grouping } from '../groups/groupings.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { askedOf } from './asked-columns.ts';
import { readRows } from './pages.ts';
import { useFileDownload } from './use-file-download.tsx';
import { type FileForm, writeRows } from './write-rows.ts';

interface DownloadMenuProps {
  readonly scope: ListScope;
  /** By what the table groups its rows; the file then has its groups. */
  readonly grouping: Grouping | undefined;
}

/** Puts the rows of the table into a file, with the columns that are shown, page by page. */
export function DownloadMenu({ scope, grouping }: DownloadMenuProps) {
  const { layout, sort, name, noun } = useListContext();
  const environment = useRelayEnvironment();
  const file = useFileDownload(grouping === undefined ? noun : 'groups');
  const columns = layout.order.filter((id) => isVisible(layout, id));
  const read = () =>
    grouping === undefined
      ? readRows(environment, scope, sort, askedOf(columns))
      : exportGroups(environment, scope, sort, grouping);
  const fileName = grouping === undefined ? name : `${name}-by-${grouping.id}`;
  const start = (form: FileForm) =>
    file.start({ name: `${fileName}.${form}`, parts: writeRows(form, columns, read()) });
  return (
    <>
      <MenuTrigger>
        <IconButton icon={Download} label="Download" />
        <Menu label="Download" placement="bottom end">
          <MenuItem onAction={() => start('csv')}>CSV</MenuItem>
          <MenuItem onAction={() => start('jsonl')}>JSON Lines</MenuItem>
        </Menu>
      </MenuTrigger>
      {file.window}
    </>
  );
}
