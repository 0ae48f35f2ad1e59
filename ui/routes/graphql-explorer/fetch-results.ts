import type { GraphiQLProps } from 'graphiql';
import { readEvents } from '#ui/lib/event-stream.ts';
import { serverConfig } from '#ui/lib/server-config.ts';
import { fetchInSession } from '#ui/lib/session.ts';

/** Sends an operation to the server that the page is from: one result, or those of a subscription as they come. */
export const fetchResults: GraphiQLProps['fetcher'] = async (operation) => {
  const response = await fetchInSession(`${serverConfig.rootPath}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(operation),
  });
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return readResults(response);
  const text = await response.text();
  return type.startsWith('application/json') ? (JSON.parse(text) as object) : { errors: [{ message: text }] };
};

async function* readResults(response: Response) {
  for await (const { event, data } of readEvents(response)) {
    if (event === 'next') yield JSON.parse(data) as object;
  }
}
