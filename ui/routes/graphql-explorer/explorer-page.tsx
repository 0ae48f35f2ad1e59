import { useSearch } from '@tanstack/react-router';
import { GraphiQL } from 'graphiql';
import 'graphiql/graphiql.css';
import { PageHeader } from '#ui/components/page-header.tsx';
import { useTheme } from '#ui/lib/theme.ts';
import './explorer-page.css';
import { fetchResults } from './fetch-results.ts';
import { useLabels } from './use-labels.ts';

/** Writes and runs operations against the GraphQL interface, with its schema at hand: GraphiQL in the product's colours. */
export function ExplorerPage() {
  const { query } = useSearch({ from: '/graphql' });
  const theme = useTheme();
  const place = useLabels();
  return (
    <div className="explorer">
      <PageHeader title="GraphQL explorer" />
      <div ref={place} className="explorer-place">
        <GraphiQL
          fetcher={fetchResults}
          forcedTheme={theme}
          defaultQuery={DEFAULT_QUERY}
          showPersistHeadersSettings={false}
          shouldPersistHeaders={false}
          {...(query !== undefined && { query })}
        >
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
        </GraphiQL>
      </div>
    </div>
  );
}

const DEFAULT_QUERY = `# Ctrl+Enter runs the operation.
# Ctrl+Space suggests fields.
{
  projects(first: 5) {
    edges {
      node {
        id
        name
      }
    }
  }
}
`;
