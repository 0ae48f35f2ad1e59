import { formatGlobalId } from '#base/global-id';
import type { ApiKey, OwnedApiKey } from '#domain/api-key';
import { formatTimestamp } from '#domain/timestamp';

/** A key as REST answers it: what is not set is left out. */
export function presentApiKey({ rowId, userRowId, name, description, ...key }: ApiKey) {
  const { createdAtUs, expiresAtUs, lastUsedAtUs, operations, projects } = key;
  return {
    id: formatGlobalId(userRowId === null ? 'SystemApiKey' : 'UserApiKey', rowId),
    name,
    ...(description !== null && { description }),
    created_at: formatTimestamp(createdAtUs),
    ...(expiresAtUs !== null && { expires_at: formatTimestamp(expiresAtUs) }),
    ...(operations !== null && { operations }),
    ...(projects !== null && {
      projects: projects.map((project) => ({ id: formatGlobalId('Project', project.rowId), name: project.name })),
    }),
    ...(lastUsedAtUs !== null && { last_used_at: formatTimestamp(lastUsedAtUs) }),
  };
}

/** The same with its owner. */
export function presentOwnedApiKey({ user, ...key }: OwnedApiKey) {
  const { rowId, name, email } = user;
  return {
    ...presentApiKey(key),
    user: { id: formatGlobalId('User', rowId), username: name, ...(email !== null && { email }) },
  };
}
