/** A span whose original is damaged is shown as far as its row goes. */
import type { spanDetailsQuery } from '../../__generated__/spanDetailsQuery.graphql.ts';

/** A span as the API answers it. */
export type AnsweredSpan = Extract<spanDetailsQuery['response']['span'], { __typename: 'Span' }>;

/** The fields that a damaged original leaves without a value. */
type FromOriginal = 'attributes' | 'derivedAttributes' | 'statusMessage' | 'events' | 'links' | 'tokenRemarks';

/** A span whose fields all have a value, an empty one where its original is damaged. */
export type ReadableSpan = Omit<AnsweredSpan, FromOriginal> & {
  readonly [Field in FromOriginal]: NonNullable<AnsweredSpan[Field]>;
};

/** Fills in what a damaged original leaves without a value. */
export function toReadable(span: AnsweredSpan): ReadableSpan {
  return {
    ...span,
    attributes: span.attributes ?? '{}',
    derivedAttributes: span.derivedAttributes ?? '{}',
    statusMessage: span.statusMessage ?? '',
    events: span.events ?? [],
    links: span.links ?? [],
    tokenRemarks: span.tokenRemarks ?? [],
  };
}
