import { definePolicy } from '#domain/access';

/** Who may check filters and read their vocabulary. */
export const ACCESS = definePolicy('filters', {
  check: 'read',
});
