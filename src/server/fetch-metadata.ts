/**
 * What a browser says of the page that caused a request, in headers that no page can set. Programs say nothing, nor do browsers
 * that reach the server in clear by another name than localhost.
 * @see https://www.w3.org/TR/fetch-metadata/
 */

/** The headers that a browser adds. */
export interface FetchMetadata {
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
  readonly 'sec-fetch-dest'?: string | string[] | undefined;
}

/** Whether a page of another origin caused it, also of another port of this host. `none` is a person: an address that was typed. */
export function isFromOtherOrigin({ 'sec-fetch-site': site }: FetchMetadata): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether it leads a whole tab to the address, as a link does, so that the page that caused it learns nothing of the answer. */
export function isNavigation(method: string, headers: FetchMetadata): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}
