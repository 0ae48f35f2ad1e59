import { definePolicy } from '#domain/access';

/** Who may delete and move telemetry. */
export const deletionPolicy = definePolicy('deletion', {
  deleteProject: 'admin',
  clearProject: { access: 'write', within: 'project' },
  deleteTraces: 'write',
  transferTraces: 'write',
  deleteSpan: 'write',
  deleteSessions: 'write',
});
