import { definePolicy } from '#domain/access';

/** Who may check filters and read their vocabulary. */
export const filterPolicy = definePolicy('filters', {
  check: 'read',
});
