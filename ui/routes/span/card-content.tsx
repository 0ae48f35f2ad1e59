import { ConversationView } from './conversation-view.tsx';
import { DocumentsView } from './documents-view.tsx';
import { JsonContent } from './json-content.tsx';
import { LongList } from './long-list.tsx';
import type { Card } from './model/span-view.ts';
import { TextContent } from './text-content.tsx';
import { ToolsView } from './tools-view.tsx';
import { SaidText } from './part-content.tsx';
import styles from './card-content.module.css';

/** What is in a card of a span's details. */
export function CardContent({ card }: { readonly card: Card }) {
  const label = card.title.toLowerCase();
  switch (card.type) {
    case 'conversation':
      return <ConversationView messages={card.messages} />;
    case 'tools':
      return <ToolsView tools={card.tools} />;
    case 'documents':
      return <DocumentsView documents={card.documents} before={card.before} />;
    case 'texts':
      return (
        <LongList
          items={card.texts}
          noun="texts"
          keyOf={(_, index) => index}
          className={styles.texts}
          itemClassName={styles.text}
        >
          {(text, index) => (
            <>
              <span className={styles.number}>{index + 1}</span>
              <TextContent text={text} label={`${label} ${index + 1}`} />
            </>
          )}
        </LongList>
      );
    case 'text':
      return <SaidText text={card.text} label={label} />;
    case 'json':
      return <JsonContent value={card.value} label={label} />;
    default:
      return card satisfies never;
  }
}
