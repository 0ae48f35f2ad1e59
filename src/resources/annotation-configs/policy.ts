import { definePolicy } from '#domain/access';

/** Who may do what with annotation configs, and with what projects offer of them. */
export const annotationConfigPolicy = definePolicy('annotationConfigs', {
  list: 'read',
  read: 'read',
  create: 'write',
  update: 'write',
  delete: 'write',
  listOfProject: { access: 'read', within: 'project' },
  assign: { access: 'write', within: 'project' },
  unassign: { access: 'write', within: 'project' },
  replaceOfProject: { access: 'write', within: 'project' },
});
