import { definePolicy } from '#domain/access';

/** Who may search. */
export const searchPolicy = definePolicy('search', {
  findSpans: { access: 'read', within: 'project' },
});
