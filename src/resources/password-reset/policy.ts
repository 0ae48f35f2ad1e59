import { definePolicy } from '#domain/access';

/** Who may choose a new password by mail: anybody may ask, and the token in the mail shows who may choose. */
export const passwordResetPolicy = definePolicy('passwordReset', {
  request: 'public',
  choose: 'public',
});
