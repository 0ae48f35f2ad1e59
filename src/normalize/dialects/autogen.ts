/**
 * AutoGen: the GenAI conventions for agents and tools, those for messaging between agents.
 * @see https://github.com/microsoft/autogen/tree/main/python/packages/autogen-core/src/autogen_core/_telemetry
 */
import * as autogen from '#semconv/autogen';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'autogen';

export function speaks({ scope, attributes }: SpanEvidence): boolean {
  return (
    scope.name.startsWith(autogen.SCOPE_AUTOGEN) || attributes.get(genAi.ATTR_GEN_AI_SYSTEM) === autogen.SYSTEM_AUTOGEN
  );
}

export function translate({ attributes }: SpanEvidence): void {
  if (attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) !== undefined) return;
  if (attributes.get(autogen.ATTR_MESSAGING_OPERATION) !== undefined) {
    attributes.fill(openinference.ATTR_SPAN_KIND, 'CHAIN');
  }
}

export const docs: DialectDocs = {
  title: 'AutoGen',
  checkedVersion: 'autogen-core 0.7 (read, not recorded)',
  mappings: [
    {
      from: 'messaging.operation',
      to: 'openinference.span.kind',
      note: 'CHAIN: a message between agents. Agents and tools use the operations of the GenAI conventions.',
    },
  ],
  notCovered: [
    'AutoGen has no spans for model calls; those come from an instrumentation of the client.',
    'The records of its logger autogen_core.events are not read.',
  ],
};
