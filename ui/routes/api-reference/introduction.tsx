import { Link } from '@tanstack/react-router';
import { CodeBlock } from '#ui/components/code-block/code-block.tsx';
import { Fact, FactList } from '#ui/components/fact-list.tsx';
import { serverConfig } from '#ui/lib/server-config.ts';
import type { ApiDocument } from './api-document.ts';
import { InlineText } from './inline-text.tsx';
import styles from './reference-page.module.css';

/** What holds for every operation; stands where none is chosen. */
export function Introduction({ document }: { readonly document: ApiDocument }) {
  const url = `${location.origin}${serverConfig.rootPath}`;
  const key = serverConfig.authEnabled ? ' \\\n  -H "authorization: Bearer $CAIRN_API_KEY"' : '';
  return (
    <article className={styles.article}>
      <h2 className={styles.summary}>REST API</h2>
      {document.info.description !== undefined && (
        <p className={styles.lead}>
          <InlineText text={document.info.description} />
        </p>
      )}
      <FactList>
        <Fact label="Address">
          <code>{url}</code>
        </Fact>
        <Fact label="Version">{document.info.version}</Fact>
        <Fact label="Keys">
          {serverConfig.authEnabled ? (
            <>
              Needed. Create one in <Link to="/profile">your profile</Link>.
            </>
          ) : (
            'Not needed: authentication is off.'
          )}
        </Fact>
      </FactList>
      <h3 className={styles.heading}>Example</h3>
      <CodeBlock text={`curl -sS '${url}/v1/projects'${key}`} label="request" isForCopying wraps />
      <p className={styles.hint}>
        Choose an operation from the list. Lists are read page by page: send the <code>next_cursor</code> of a page as{' '}
        <code>cursor</code> for the next one. For questions across resources there is the{' '}
        <Link to="/graphql">GraphQL explorer</Link>.
      </p>
    </article>
  );
}
