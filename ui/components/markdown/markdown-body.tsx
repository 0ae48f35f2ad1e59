import { Children, isValidElement, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../code-block/code-block.tsx';
import { safeAddress } from './safe-address.ts';
import styles from './markdown.module.css';

/** See `Markdown`, which loads it when there is something to show. */
export function MarkdownBody({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={safeAddress}>
      {text}
    </ReactMarkdown>
  );
}

const PLUGINS = [remarkGfm];

/** Headings of a text are no headings of the page. */
function heading(level: 1 | 2 | 3 | 4) {
  return function MarkdownHeading({ children }: { readonly children?: ReactNode }) {
    return <p className={styles[`heading${level}`]}>{children}</p>;
  };
}

const COMPONENTS: Components = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(4),
  h6: heading(4),
  a: ({ href, children }) => <Link address={href}>{children}</Link>,
  img: ({ src, alt }) => (
    <Link address={typeof src === 'string' ? src : undefined}>{alt === undefined || alt === '' ? 'Image' : alt}</Link>
  ),
  pre: ({ children }) => <CodeBlock text={textOf(children)} label="code" />,
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- What scrolls must be within reach of the keyboard.
    <div className={styles.table} tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

function Link({ address, children }: { readonly address: string | undefined; readonly children?: ReactNode }) {
  if (address === undefined || address === '') return <span className={styles.deadLink}>{children}</span>;
  return (
    <a href={address} title={address} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  );
}

/** The text of a `<code>` inside of a `<pre>`. */
function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => {
      if (isValidElement<{ children?: ReactNode }>(child)) return textOf(child.props.children);
      return typeof child === 'string' || typeof child === 'number' ? String(child) : '';
    })
    .join('')
    .replace(/\n$/, '');
}
