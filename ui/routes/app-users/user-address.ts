/**
 * Ids of users in addresses. They come from outside and may be anything: what servers, proxies and browsers treat in a path of their own
 * accord, a slash, a percent sign, a dot alone, is written as `~` and two digits.
 */

const TREATED = /[~%/\\\u0000-\u001f\u007f]/g;

/** The id as a part of a path, which the router encodes further. */
export function encodeUserId(userId: string): string {
  const text = userId.toWellFormed();
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '~2E') : text.replaceAll(TREATED, escape);
}

/** The id that a part of a path means. */
export function decodeUserId(part: string): string {
  return part.replaceAll(/~([0-7][0-9A-F])/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function escape(character: string): string {
  return `~${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
