import { boundedText } from '#derive/bounded-text';
import { storableText } from '#normalize/text';

/** Where a log record or a span comes from, as far as their exporters must agree on it: the service and the scope. */
export function sourceOf(serviceName: string, scopeName: string): string {
  return boundedText(storableText(`${scopeName} ${serviceName}`));
}
