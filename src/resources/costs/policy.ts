import { definePolicy } from '#domain/access';

/** Who may see what spans cost. */
export const costPolicy = definePolicy('costs', {
  read: 'read',
});
