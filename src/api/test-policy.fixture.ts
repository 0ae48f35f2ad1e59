import { definePolicy } from '#domain/access';

/** An operation of each access, for tests of what declares and checks it. */
export const testPolicy = definePolicy('test', { open: 'public', read: 'read', write: 'write', manage: 'admin' });
