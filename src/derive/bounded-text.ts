/**
 * Texts that rows and their indexes hold. An original keeps any length; a row must stay small, whatever a sender calls a
 * span, a session or a project.
 */
import { createHash } from 'node:crypto';

/** The longest text that a row or an index holds, in UTF-16 code units. */
export const MAX_ROW_TEXT = 1024;

/** The text for a row: a longer one is cut and ends in a digest of the whole, so that different texts stay different. */
export function boundedText(text: string): string {
  if (text.length <= MAX_ROW_TEXT) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
  return `${text.slice(0, MAX_ROW_TEXT - DIGEST_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…${digest}`;
}

const DIGEST_LENGTH = 32;
