import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRelayEnvironment } from 'react-relay';
import { Button, IconButton } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { isVisible } from '#ui/lib/columns.ts';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact } from '#ui/lib/format.ts';
import { useListContext } from '../list-context.ts';
import type { ListScope } from '../list-scope.ts';
import { readPage } from './pages.ts';
import { type FileForm, writeHead, writeRow } from './write-rows.ts';

/** What a browser keeps until the file is whole. */
const MAX_ROWS = 100_000;
const MAX_LETTERS = 200_000_000;

type State =
  | { readonly kind: 'reading'; readonly rows: number }
  | { readonly kind: 'cut'; readonly rows: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Puts the rows of the table into a file, with the columns that are shown, page by page. */
export function DownloadMenu({ scope }: { readonly scope: ListScope }) {
  const { layout, sort, name, noun } = useListContext();
  const environment = useRelayEnvironment();
  const [state, setState] = useState<State>();
  const running = useRef<object>(undefined);
  const columns = layout.order.filter((id) => isVisible(layout, id));

  async function download(form: FileForm): Promise<void> {
    const run = {};
    running.current = run;
    const parts = [writeHead(form, columns)];
    let rows = 0;
    let letters = 0;
    let next: string | null = null;
    setState({ kind: 'reading', rows });
    do {
      const page = await readPage(environment, scope, sort, next);
      if (running.current !== run) return;
      const text = page.rows.map((row) => writeRow(form, columns, row)).join('');
      parts.push(text);
      rows += page.rows.length;
      letters += text.length;
      next = page.next;
      setState({ kind: 'reading', rows });
    } while (next !== null && rows < MAX_ROWS && letters < MAX_LETTERS);
    save(parts, `${name}.${form}`);
    setState(next === null ? undefined : { kind: 'cut', rows });
  }

  function start(form: FileForm): void {
    download(form).catch((error: unknown) => setState({ kind: 'failed', reason: describeError(error) }));
  }

  function close(): void {
    running.current = undefined;
    setState(undefined);
  }

  return (
    <>
      <MenuTrigger>
        <IconButton icon={Download} label="Download" />
        <Menu label="Download" placement="bottom end">
          <MenuItem onAction={() => start('csv')}>CSV</MenuItem>
          <MenuItem onAction={() => start('jsonl')}>JSON Lines</MenuItem>
        </Menu>
      </MenuTrigger>
      <Dialog
        title={`Download ${noun}`}
        size="sm"
        isOpen={state !== undefined}
        onOpenChange={(isOpen) => {
          if (!isOpen) close();
        }}
        actions={<Button onPress={close}>{state?.kind === 'reading' ? 'Cancel' : 'Close'}</Button>}
      >
        <output>{state !== undefined && describe(state, noun)}</output>
      </Dialog>
    </>
  );
}

function describe(state: State, noun: string): string {
  switch (state.kind) {
    case 'reading':
      return `${formatExact(state.rows)} ${noun} loaded so far.`;
    case 'cut':
      return `The file contains only the first ${formatExact(state.rows)} ${noun}, which is the limit. Narrow the filter or the time range to get the rest.`;
    case 'failed':
      return `The ${noun} could not be loaded. ${state.reason}`;
    default:
      return state satisfies never;
  }
}

function save(parts: readonly string[], name: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
