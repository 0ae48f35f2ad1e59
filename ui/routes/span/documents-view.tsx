import { ArrowDown, ArrowUp } from 'lucide-react';
import { stringifyJson } from '#base/json';
import { Badge } from '#ui/components/badge.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Name } from '#ui/components/name.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { DocumentJudgements } from '../annotate/document-judgements.tsx';
import styles from './documents-view.module.css';
import { Fold } from './fold.tsx';
import { JsonContent } from './json-content.tsx';
import { LongList } from './long-list.tsx';
import type { RetrievedDocument } from './model/documents.ts';
import { formatScore, placesMoved } from './model/ranking.ts';
import { SaidText } from './part-content.tsx';

/** See {@link DocumentsView}. */
export interface DocumentsViewProps {
  readonly documents: readonly RetrievedDocument[];
  /** Their order before a reranker, which shows how far each has moved. */
  readonly before?: readonly RetrievedDocument[] | undefined;
}

/** Documents in their order, each with its score and where it is from. */
export function DocumentsView({ documents, before = [] }: DocumentsViewProps) {
  return (
    <LongList
      items={documents}
      noun="documents"
      keyOf={({ position }) => position}
      className={styles.documents}
      itemClassName={styles.document}
    >
      {(document) => (
        <>
          <header className={styles.header}>
            <span className={styles.position}>{document.position}</span>
            {document.id !== undefined && (
              <>
                <code className={styles.id} title={revealHidden(document.id)}>
                  <Name>{document.id}</Name>
                </code>
                <CopyButton text={document.id} label="Copy document id" className={styles.copy} />
              </>
            )}
            <span className={styles.gap} />
            <DocumentJudgements position={document.position - 1} />
            <Moved places={placesMoved(document, before)} />
            {document.score !== undefined && (
              <Badge tone="info">
                <span title={String(document.score)}>score {formatScore(document.score)}</span>
              </Badge>
            )}
          </header>
          {document.content === undefined ? (
            <p className={styles.absent}>No content was recorded</p>
          ) : (
            <SaidText text={document.content} label={`document ${document.position}`} />
          )}
          {document.metadata !== undefined && (
            <Fold title="Metadata" hint={stringifyJson(document.metadata).slice(0, 200)} isCode>
              <JsonContent value={document.metadata} label="metadata" />
            </Fold>
          )}
          {document.rest !== undefined && (
            <Fold title="Other fields">
              <JsonContent value={document.rest} label="other fields" />
            </Fold>
          )}
        </>
      )}
    </LongList>
  );
}

function Moved({ places }: { readonly places: number }) {
  if (places === 0) return null;
  return (
    <Badge tone={places > 0 ? 'success' : 'neutral'} icon={places > 0 ? ArrowUp : ArrowDown}>
      {places > 0 ? `up ${places}` : `down ${-places}`}
    </Badge>
  );
}
