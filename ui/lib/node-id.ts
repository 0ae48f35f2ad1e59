/** The form of global node ids: base64 of `Type:number`. */

/** What pages are of. */
export type NodeType =
  | 'AuditEvent'
  | 'GenerativeModel'
  | 'Project'
  | 'ProjectSession'
  | 'ProjectTraceRetentionPolicy'
  | 'SavedView'
  | 'Span'
  | 'User';

/** Whether a text can be the id of a node of that type; an address that was mistyped holds none, and the server need not be asked. */
export function isNodeId(type: NodeType, text: string): boolean {
  return text.length <= MAX_LENGTH && new RegExp(`^${type}:\\d{1,16}$`).test(decodeBase64(text));
}

const MAX_LENGTH = 128;

function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return ''; // no base64
  }
}
