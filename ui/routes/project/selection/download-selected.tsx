import { Download } from 'lucide-react';
import { useRelayEnvironment } from 'react-relay';
import { Button } from '#ui/components/button.tsx';
import type { Selection } from '#ui/components/data-table/selection.ts';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { isVisible } from '#ui/lib/columns.ts';
import { askedOf } from '../export/asked-columns.ts';
import { useFileDownload } from '../export/use-file-download.tsx';
import { type FileForm, writeRows } from '../export/write-rows.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { ORIGINALS_END, readOriginals } from './originals.ts';
import { readSelectedRows } from './selected-rows.ts';
import styles from './selection-bar.module.css';

interface DownloadSelectedProps {
  readonly scope: ListScope;
  readonly selection: Selection;
}

/** Puts the selected rows into a file: as the table shows them, or as they arrived. */
export function DownloadSelected({ scope, selection }: DownloadSelectedProps) {
  const { layout, sort, name, noun, selection: store } = useListContext();
  const environment = useRelayEnvironment();
  const file = useFileDownload(noun);
  const columns = layout.order.filter((id) => isVisible(layout, id));
  const asked = askedOf(columns);
  const read = () => readSelectedRows(environment, scope, sort, selection, store.loaded(), asked);
  const saveRows = (form: FileForm) => file.start({ name: `${name}.${form}`, parts: writeRows(form, columns, read()) });
  const saveOriginals = () =>
    file.start({
      name: `${name}.otlp.json`,
      parts: readOriginals(environment, scope.projectId, scope.grain, read()),
      end: ORIGINALS_END,
    });
  return (
    <>
      <MenuTrigger>
        <Button variant="ghost" size="sm" icon={Download} aria-label={`Download selected ${noun}`}>
          <span className={styles.word}>Download</span>
        </Button>
        <Menu label="Download" placement="top end">
          <MenuItem onAction={() => saveRows('jsonl')}>JSON Lines, the columns shown</MenuItem>
          <MenuItem onAction={() => saveRows('csv')}>CSV, the columns shown</MenuItem>
          <MenuItem onAction={saveOriginals}>OTLP JSON, as it arrived</MenuItem>
        </Menu>
      </MenuTrigger>
      {file.window}
    </>
  );
}
