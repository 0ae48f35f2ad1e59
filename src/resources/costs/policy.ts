import { definePolicy } from '#domain/access';

/** Who may see what spans cost. */
export const ACCESS = definePolicy('costs', {
  read: 'read',
});
