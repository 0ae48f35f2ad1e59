import { definePolicy } from '#domain/access';

/** Who may ask how much space the data takes. */
export const storagePolicy = definePolicy('storage', { read: 'read' });
