import { Download } from 'lucide-react';
import { useRelayEnvironment } from 'react-relay';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { isVisible } from '#ui/lib/columns.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { askedOf } from './asked-columns.ts';
import { readRows } from './pages.ts';
import { useFileDownload } from './use-file-download.tsx';
import { type FileForm, writeRows } from './write-rows.ts';

/** Puts the rows of the table into a file, with the columns that are shown, page by page. */
export function DownloadMenu({ scope }: { readonly scope: ListScope }) {
  const { layout, sort, name, noun } = useListContext();
  const environment = useRelayEnvironment();
  const file = useFileDownload(noun);
  const columns = layout.order.filter((id) => isVisible(layout, id));
  const asked = askedOf(columns);
  const start = (form: FileForm) =>
    file.start({ name: `${name}.${form}`, parts: writeRows(form, columns, readRows(environment, scope, sort, asked)) });
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
