import { definePolicy } from '#domain/access';

/** Who may count, sum and chart. */
export const aggregatePolicy = definePolicy('aggregates', {
  read: 'read',
});
