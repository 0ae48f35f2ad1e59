import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileJson } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ErrorState } from '#ui/components/error-state.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { type ApiDocument, findOperations, groupOperations, type Operation } from './api-document.ts';
import { Introduction } from './introduction.tsx';
import { OperationDetails } from './operation-details.tsx';
import { OperationList } from './operation-list.tsx';
import styles from './reference-page.module.css';
import { DOCUMENT_URL, useApiDocument } from './use-api-document.ts';

/** The REST interface of this server: every operation, from its OpenAPI document. */
export function ReferencePage() {
  const { document, error, retry } = useApiDocument();
  return (
    <div className={styles.page}>
      <PageHeader
        title="API reference"
        actions={
          <a className={styles.file} href={DOCUMENT_URL} target="_blank" rel="noreferrer">
            <FileJson size={15} aria-hidden />
            OpenAPI document
          </a>
        }
      />
      {error !== undefined ? (
        <ErrorState title="The API document could not be loaded" error={error} onRetry={retry} />
      ) : document === undefined ? (
        <ProgressLine isActive label="Loading the API document" />
      ) : (
        <Reference document={document} />
      )}
    </div>
  );
}

function Reference({ document }: { readonly document: ApiDocument }) {
  const { operation: chosenId } = useSearch({ from: '/docs' });
  const navigate = useNavigate({ from: '/docs' });
  const isNarrow = useMediaQuery(NARROW);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const all = groupOperations(document);
  const found = findOperations(all, text);
  const shown = found.flatMap(({ operations }) => operations);
  const chosen = all.flatMap(({ operations }) => operations).find(({ operationId }) => operationId === chosenId);
  const open = ({ operationId }: Operation) => void navigate({ search: { operation: operationId } });
  const step = (by: number) => {
    const place = chosen === undefined ? -1 : shown.findIndex(({ operationId }) => operationId === chosenId);
    const next = shown[place === -1 ? 0 : Math.min(shown.length - 1, Math.max(0, place + by))];
    if (next !== undefined) open(next);
  };
  useShortcuts('API reference', [
    { keys: '/', label: 'Find an operation', run: () => field.current?.focus() },
    { keys: 'j', label: 'Next operation', run: () => step(1) },
    { keys: 'k', label: 'Previous operation', run: () => step(-1) },
  ]);
  const details = useDetailsAtTop(chosenId);
  return (
    <div className={styles.columns}>
      {(!isNarrow || chosen === undefined) && (
        <OperationList groups={found} text={text} onSearch={setText} fieldRef={field} />
      )}
      {(!isNarrow || chosen !== undefined) && (
        <div ref={details} className={styles.details}>
          {chosen === undefined ? (
            <Introduction document={document} />
          ) : (
            <OperationDetails
              key={chosen.operationId}
              operation={chosen}
              schemas={document.components?.schemas ?? {}}
              isAlone={isNarrow}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Another operation is shown from its beginning. */
function useDetailsAtTop(operation: string | undefined) {
  const details = useRef<HTMLDivElement>(null);
  useEffect(() => {
    details.current?.scrollTo({ top: 0 });
  }, [operation]);
  return details;
}
