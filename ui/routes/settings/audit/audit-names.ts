/** What people call the things of the audit log. */

/** Actions by the names that the server gives them, in the order of the filter. */
export const AUDIT_ACTIONS: Readonly<Record<string, string>> = {
  'signIn.login': 'Sign in',
  'signIn.loginByDirectory': 'Sign in with directory',
  'signIn.syncFromDirectory': 'Update account from directory',
  'signIn.logout': 'Sign out',
  'signIn.refresh': 'Renew session',
  'signIn.endReused': 'End copied session',
  'signIn.lock': 'Lock account',
  'signIn.unlock': 'Unlock account',
  'passwordReset.request': 'Request password link',
  'passwordReset.choose': 'Set password by link',
  'users.create': 'Create user',
  'users.patch': 'Change user',
  'users.patchViewer': 'Change own profile',
  'users.remove': 'Delete users',
  'users.delete': 'Delete user',
  'users.resetPassword': 'Reset password on the command line',
  'users.prepare': 'Create initial accounts',
  'apiKeys.createOwn': 'Create personal key',
  'apiKeys.deletePersonal': 'Delete personal key',
  'apiKeys.createSystem': 'Create system key',
  'apiKeys.deleteSystem': 'Delete system key',
  'secrets.upsertOrDelete': 'Change secrets',
  'secrets.use': 'Use secret',
  'secrets.rotate': 'Encrypt secret again',
  'projects.create': 'Create project',
  'projects.patch': 'Change project',
  'deletion.deleteProject': 'Delete project',
  'deletion.clearProject': 'Clear project',
  'deletion.deleteTraces': 'Delete traces',
  'deletion.transferTraces': 'Move traces',
  'deletion.deleteSpan': 'Delete span',
  'deletion.deleteSessions': 'Delete sessions',
  'bulk.delete': 'Delete selected rows',
  'bulk.move': 'Move selected rows',
  'bulk.finish': 'Finish bulk action',
  'bulk.cancel': 'Cancel bulk action',
  'retention.create': 'Create retention policy',
  'retention.patch': 'Change retention policy',
  'retention.delete': 'Delete retention policy',
  'retention.assign': 'Assign retention policy',
  'annotationConfigs.create': 'Create annotation config',
  'annotationConfigs.update': 'Change annotation config',
  'annotationConfigs.delete': 'Delete annotation config',
  'annotationConfigs.assign': 'Add annotation config to project',
  'annotationConfigs.unassign': 'Remove annotation config from project',
  'annotationConfigs.replaceOfProject': 'Set annotation configs of project',
  'annotations.store': 'Annotate',
  'annotations.storeFound': 'Annotate what has arrived',
  'annotations.storeLater': 'Annotate what may arrive later',
  'annotations.settleWaiting': 'Apply waiting annotations',
  'annotations.patch': 'Change annotations',
  'annotations.delete': 'Delete annotations',
  'annotations.deleteMatching': 'Delete matching annotations',
  'annotations.deleteByName': 'Delete annotations by name',
  'savedViews.create': 'Save view',
  'savedViews.patch': 'Change view',
  'savedViews.delete': 'Delete view',
  'savedViews.setOwnDefault': 'Choose own default view',
  'savedViews.setSharedDefault': 'Choose default view',
  'models.create': 'Create price',
  'models.update': 'Change price',
  'models.delete': 'Delete price',
  'models.startPricing': 'Start repricing',
  'models.finishPricing': 'Finish repricing',
  'reindex.start': 'Start reindexing',
  'reindex.finish': 'Finish reindexing',
  'jobs.pause': 'Pause job',
  'jobs.resume': 'Resume job',
  'jobs.cancel': 'Cancel job',
  'audit.export': 'Export audit log',
  'audit.otherRefusals': 'Other refused actions',
};

/** What is in the log only where somebody is refused it, and what the server does by itself. */
const OTHER_ACTIONS: Readonly<Record<string, string>> = {
  'aggregates.read': 'Read metrics',
  'annotationConfigs.list': 'List annotation configs',
  'annotationConfigs.listOfProject': 'List annotation configs of project',
  'annotationConfigs.read': 'Read annotation config',
  'apiKeys.listOwn': 'List own keys',
  'apiKeys.listPersonal': 'List personal keys',
  'apiKeys.listSystem': 'List system keys',
  'apiKeys.noteUse': 'Note use of key',
  'apiKeys.read': 'Read personal key',
  'audit.list': 'Read audit log',
  'audit.prune': 'Delete old audit events',
  'audit.read': 'Read audit log',
  'audit.recordRefusals': 'Record refused actions',
  'bulk.read': 'Read bulk action',
  'costs.read': 'Read costs',
  'filters.check': 'Check filter',
  'graphql.findNode': 'Read object',
  'graphql.readPageInfo': 'Read list',
  'http.refuseApi': 'Unknown REST address',
  'ingestion.logs': 'Send logs',
  'ingestion.metrics': 'Send metrics',
  'ingestion.traces': 'Send traces',
  'logs.list': 'List logs',
  'logs.read': 'Read log',
  'logs.readOriginal': 'Download logs',
  'logs.readUnattached': 'Read logs without span',
  'models.list': 'List prices',
  'models.read': 'Read price',
  'models.readPricing': 'Read repricing',
  'operations.openPage': 'Open GraphQL page',
  'operations.run': 'Use GraphQL',
  'annotations.list': 'List annotations',
  'annotations.read': 'Read annotations',
  'agreement.read': 'Compare judges',
  'storage.read': 'Read use of storage',
  'projects.search': 'Search projects',
  'projects.list': 'List projects',
  'projects.read': 'Read project',
  'projects.watch': 'Watch projects',
  'reindex.read': 'Read reindexing',
  'retention.list': 'List retention policies',
  'retention.listDeletions': 'List deletions',
  'retention.noteApplied': 'Apply retention policy',
  'retention.read': 'Read retention policy',
  'retention.seedDefault': 'Create default retention policy',
  'search.findSpans': 'Search spans',
  'savedViews.list': 'List views',
  'savedViews.read': 'Read view',
  'secrets.list': 'List secrets',
  'secrets.read': 'Read secret name',
  'secrets.readValue': 'Check secret value',
  'service.openDocs': 'Open API documentation',
  'service.redirect': 'Open stable address',
  'service.readMetrics': 'Read server metrics',
  'service.readOpenApi': 'Read API description',
  'sessions.list': 'List sessions',
  'sessions.listAnywhere': 'List sessions',
  'sessions.read': 'Read session',
  'signIn.countAttempt': 'Count sign-in attempt',
  'signIn.readLock': 'Read account lock',
  'signIn.takeBackAttempt': 'Take back sign-in attempt',
  'signIn.tidy': 'Delete old sessions',
  'spans.create': 'Send spans',
  'spans.list': 'List spans',
  'spans.listOriginals': 'Download spans',
  'spans.query': 'Query spans',
  'spans.read': 'Read span',
  'spans.readOriginal': 'Download span',
  'traces.list': 'List traces',
  'traces.read': 'Read trace',
  'traces.readOriginal': 'Download trace',
  'users.add': 'Create user',
  'users.browse': 'List users',
  'users.list': 'List users',
  'users.listRoles': 'List roles',
  'users.read': 'Read user',
};

/** An action; one that is unknown here by the server's own name. */
export function nameAction(operation: string): string {
  return AUDIT_ACTIONS[operation] ?? OTHER_ACTIONS[operation] ?? operation;
}

/** A field that changed, which resources write as `max_days` or as `expiresAt`. */
export function nameChange(field: string): string {
  return field.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** The type of an object. */
export function nameObjectType(type: string): string {
  return (
    {
      UserApiKey: 'Personal key',
      SystemApiKey: 'System key',
      GenerativeModel: 'Price',
      ProjectTraceRetentionPolicy: 'Retention policy',
      SavedView: 'View',
      ProjectSession: 'Session',
      CategoricalAnnotationConfig: 'Annotation config',
      ContinuousAnnotationConfig: 'Annotation config',
      FreeformAnnotationConfig: 'Annotation config',
    }[type] ?? type
  );
}

/** Names the part of the server that acted: the command line, which an operator uses, or the server itself. */
export function nameSystemCaller(name: string): string {
  return name === 'command line' ? 'Command line' : nameCallerKind('system');
}

/** What kind of caller did it. */
export function nameCallerKind(kind: string): string {
  return (
    {
      user: 'User',
      system_key: 'System key',
      admin_secret: 'Admin secret',
      system: 'Server',
      anonymous: 'Anyone',
      nobody: 'Unknown caller',
    }[kind] ?? kind
  );
}
