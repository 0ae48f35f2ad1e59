/** Short digests of what a span holds, so that many spans can be compared without reading what they hold. */
import { createHash } from 'node:crypto';
import type { AttributeTree } from '#domain/attributes';
import { canonicalText, CONTENT_PARTS, type ContentPart, readContents } from '#domain/span-contents';

/** One for each part; `null` where the span has nothing of it. */
export type ContentDigests = Readonly<Record<ContentPart, string | null>>;

/** The digests of what attributes tell: equal where the parts are, and otherwise not but by chance, one in 2^60. */
export function digestContents(attributes: AttributeTree): ContentDigests {
  const contents = readContents(attributes);
  const digests = CONTENT_PARTS.map((part) => {
    const content = contents[part];
    return [part, content === null ? null : digest(canonicalText(content))] as const;
  });
  return Object.fromEntries(digests) as Record<ContentPart, string | null>;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
}

const DIGEST_LENGTH = 10;
