import { lazy, memo, Suspense } from 'react';
import styles from './markdown.module.css';

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }));

/**
 * Markdown as a document, read once for as long as the text is the same. Nothing in it is fetched and no HTML of it is
 * taken: links lead away only when they are followed, pictures are links.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown}>
      <Suspense fallback={<p className={styles.waiting}>{text}</p>}>
        <MarkdownBody text={text} />
      </Suspense>
    </div>
  );
});
