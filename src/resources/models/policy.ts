import { definePolicy } from '#domain/access';

/** Who may do what with prices, and with pricing stored spans again. */
export const modelPolicy = definePolicy('models', {
  list: 'read',
  read: 'read',
  create: 'write',
  update: 'write',
  delete: 'write',
  readPricing: 'read',
  startPricing: 'admin',
});
