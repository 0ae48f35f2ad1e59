/**
 * Texts that rows and their indexes hold. An original keeps any length; a row must stay small, whatever a sender calls a
 * span, a session or a project.
 */
import { createHash } from 'node:crypto';

/** The longest text that a row or an index holds, in UTF-16 code units. */
export const MAX_ROW_TEXT = 1024;

/** The same in bytes of UTF-8: an entry of an index of PostgreSQL has 2,704 at most. */
export const MAX_ROW_TEXT_BYTES = 2400;

/** The text for a row: a longer one is cut and ends in a digest of the whole, so that different texts stay different. */
export function boundedText(text: string): string {
  if (text.length <= MAX_ROW_TEXT && bytesOf(text) <= MAX_ROW_TEXT_BYTES) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
  const room = new Uint8Array(MAX_ROW_TEXT_BYTES - DIGEST_LENGTH - ELLIPSIS_BYTES);
  const { read } = new TextEncoder().encodeInto(text.slice(0, MAX_ROW_TEXT - DIGEST_LENGTH - 1), room);
  return `${text.slice(0, read).replace(/[\uD800-\uDBFF]$/, '')}…${digest}`;
}

/** Whether the text of a row may be a longer one that was cut: its last character may have had no room. */
export function mayBeCut(text: string): boolean {
  return text.length >= MAX_ROW_TEXT - 1 || bytesOf(text) > MAX_ROW_TEXT_BYTES - MAX_CHARACTER_BYTES;
}

const DIGEST_LENGTH = 32;
const ELLIPSIS_BYTES = 3;
const MAX_CHARACTER_BYTES = 4;

/** Counted only where they may be too many; a unit has three at most. */
function bytesOf(text: string): number {
  return text.length * 3 <= MAX_ROW_TEXT_BYTES - MAX_CHARACTER_BYTES ? 0 : Buffer.byteLength(text);
}
