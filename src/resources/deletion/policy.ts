import { definePolicy } from '#domain/access';

/** Who may delete and move telemetry. */
export const deletionPolicy = definePolicy('deletion', {
  deleteProject: 'admin',
  /** Over GraphQL, where members may. */
  removeProject: 'write',
  clearProject: 'write',
  deleteTraces: 'write',
  transferTraces: 'write',
  deleteSpan: 'write',
  deleteSessions: 'write',
});
