/** Small REST calls of tests. */

/** The JSON that a path answers. @throws Error with the body when the status is not 2xx */
export async function getJson<T>(url: string, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** All items of a paged list, page by page. */
export async function getAll<T>(url: string, limit: number): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: URL = new URL(url);
    page.searchParams.set('limit', String(limit));
    if (cursor !== null) page.searchParams.set('cursor', cursor);
    const { data, next_cursor }: { data: T[]; next_cursor: string | null } = await getJson(page.href);
    items.push(...data);
    cursor = next_cursor;
  } while (cursor !== null);
  return items;
}
