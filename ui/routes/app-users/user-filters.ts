/** What is true of what a user did, in the filter language. */
import { formatFilter } from '#filter/format';
import { quoteText } from '#filter/lex-text';

/** Of traces and sessions: that any span names the user. */
export function ofUser(userId: string): string {
  return `any(s.user_id == ${quoteText(userId)} for s in spans)`;
}

/** Of spans: that the span names the user. Applications also send ids as numbers. */
export function spansOfUser(userId: string): string {
  const isText = formatFilter('span', {
    kind: 'compare',
    operator: '==',
    left: { kind: 'attribute', path: 'user.id', of: null },
    right: { kind: 'literal', type: 'text', value: userId },
    as: 'exact',
  });
  return /^-?(0|[1-9]\d{0,14})$/.test(userId) ? `(${isText} or user.id == ${userId})` : isText;
}
