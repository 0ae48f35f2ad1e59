import { definePolicy } from '#domain/access';

/** Who may have filters checked and be told their vocabulary. */
export const ACCESS = definePolicy('filters', {
  check: 'read',
});
