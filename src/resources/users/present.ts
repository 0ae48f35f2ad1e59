import { formatGlobalId } from '#base/global-id';
import type { Account } from '#domain/account';
import { formatTimestamp } from '#domain/timestamp';

/** An account as REST answers it; what is unset is left out. */
export function presentAccount(account: Account) {
  const { rowId, username, email, role, authMethod, createdAtUs, updatedAtUs } = account;
  return {
    id: formatGlobalId('User', rowId),
    created_at: formatTimestamp(createdAtUs),
    updated_at: formatTimestamp(updatedAtUs),
    email: email ?? '',
    username,
    role,
    auth_method: authMethod,
    ...(authMethod === 'LOCAL' && { password_needs_reset: account.passwordNeedsReset }),
    ...(authMethod === 'OAUTH2' && presentProvider(account)),
  };
}

function presentProvider({ oauth2ClientId, oauth2UserId, profilePictureUrl }: Account) {
  return {
    ...(oauth2ClientId !== null && { oauth2_client_id: oauth2ClientId }),
    ...(oauth2UserId !== null && { oauth2_user_id: oauth2UserId }),
    ...(profilePictureUrl !== null && { profile_picture_url: profilePictureUrl }),
  };
}
