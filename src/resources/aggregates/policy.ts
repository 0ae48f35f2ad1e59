import { definePolicy } from '#domain/access';

/** Who may count, sum and chart. */
export const ACCESS = definePolicy('aggregates', {
  read: 'read',
});
