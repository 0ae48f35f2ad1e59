import { definePolicy } from '#domain/access';

/** Who may search. */
export const searchPolicy = definePolicy('search', {
  findSpans: 'read',
});
