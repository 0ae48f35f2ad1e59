import { Download, FileDigit } from 'lucide-react';
import { useMemo } from 'react';
import { formatBytes } from '#ui/lib/format.ts';
import { Button } from '../button.tsx';
import { type Base64Run, findBase64Runs } from './base64-runs.ts';
import styles from './hidden-base64.module.css';

/** What the text holds in base64 that is too long to print: kind, size, and a way to save it. */
export function HiddenBase64({ text }: { readonly text: string }) {
  const runs = useMemo(() => findBase64Runs(text), [text]);
  if (runs.length === 0) return null;
  return (
    <ul className={styles.runs}>
      {runs.map((run) => (
        <li key={run.start} className={styles.run}>
          <FileDigit size={15} aria-hidden />
          <span>
            {run.mimeType ?? 'base64'} · {formatBytes(run.bytes)}
          </span>
          <Button size="sm" icon={Download} onPress={() => saveBase64(text, run)}>
            Download
          </Button>
        </li>
      ))}
    </ul>
  );
}

function saveBase64(text: string, run: Base64Run): void {
  const encoded = text
    .slice(run.start, run.end)
    .replace(/^data:[^,]*,/, '')
    .replace(/\\[nr]|\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  saveBytes(decodeBase64(encoded), run.mimeType ?? 'application/octet-stream', 'attachment');
}

/** What can be decoded of the text: the last letters of a text that was cut mean nothing. */
function decodeBase64(encoded: string): Uint8Array<ArrayBuffer> {
  const letters = encoded.replace(/=+$/, '');
  return Uint8Array.from(atob(letters.slice(0, letters.length - (letters.length % 4 === 1 ? 1 : 0))), (letter) =>
    letter.charCodeAt(0),
  );
}

/** Has the browser save bytes as a file. */
export function saveBytes(bytes: BlobPart, mimeType: string, fileName: string): void {
  // Of a neutral type: a page must not be shown in place of being saved.
  const url = URL.createObjectURL(new Blob([bytes], { type: mimeType === 'text/html' ? 'text/plain' : mimeType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
