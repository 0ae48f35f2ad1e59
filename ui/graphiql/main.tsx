/** The page at `/graphql`: GraphiQL on the server that it is from. It is built apart from the product's pages. */
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/graphiql.css';
import './page.css';
import { fetchResults } from './fetch-results';

/** An address can bring an operation with it, for links from documents. */
const query = new URLSearchParams(location.search).get('query') ?? undefined;

createRoot(document.getElementById('graphiql') as HTMLElement).render(
  <GraphiQL fetcher={fetchResults} {...(query !== undefined && { query })} />,
);
