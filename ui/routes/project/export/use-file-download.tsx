import { type ReactNode, useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import type { FilePart } from './write-rows.ts';

/** What a browser keeps until the file is whole. */
const MAX_ROWS = 100_000;
const MAX_LETTERS = 200_000_000;

/** A file that is put together part by part. */
export interface WrittenFile {
  readonly name: string;
  readonly parts: AsyncIterable<FilePart>;
  /** Stands behind the last part, even if the file is cut. */
  readonly end?: string;
}

type State =
  | { readonly kind: 'reading'; readonly rows: number }
  | { readonly kind: 'cut'; readonly rows: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Puts files together and has the browser store them; the window says how far it is, and why it is not done. */
export function useFileDownload(noun: string): {
  readonly start: (file: WrittenFile) => void;
  readonly window: ReactNode;
} {
  const [state, setState] = useState<State>();
  const running = useRef<WrittenFile>(undefined);

  async function download(file: WrittenFile): Promise<void> {
    running.current = file;
    const texts: string[] = [];
    let rows = 0;
    let letters = 0;
    let isCut = false;
    setState({ kind: 'reading', rows });
    for await (const part of file.parts) {
      if (running.current !== file) return;
      isCut = rows >= MAX_ROWS || letters >= MAX_LETTERS;
      if (isCut) break;
      texts.push(part.text);
      rows += part.rows;
      letters += part.text.length;
      setState({ kind: 'reading', rows });
    }
    if (running.current !== file) return;
    save([...texts, file.end ?? ''], file.name);
    setState(isCut ? { kind: 'cut', rows } : undefined);
  }

  function close(): void {
    running.current = undefined;
    setState(undefined);
  }

  return {
    start: (file) => {
      download(file).catch((error: unknown) => setState({ kind: 'failed', reason: describeError(error) }));
    },
    window: (
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
    ),
  };
}

function describe(state: State, noun: string): string {
  switch (state.kind) {
    case 'reading':
      return `${formatExact(state.rows)} ${nounOf(state.rows, noun)} loaded so far.`;
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
