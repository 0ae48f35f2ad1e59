import { definePolicy } from '#domain/access';

/** Who may ask how far judges agree. */
export const agreementPolicy = definePolicy('agreement', { read: 'read' });
