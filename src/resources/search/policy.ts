import { definePolicy } from '#domain/access';

/** Who may search. */
export const ACCESS = definePolicy('search', {
  findSpans: 'read',
});
