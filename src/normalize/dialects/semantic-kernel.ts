/**
 * Semantic Kernel: the GenAI conventions of 1.27, with what was said in log records whose bodies are JSON texts.
 * @see https://github.com/microsoft/semantic-kernel/tree/main/python/semantic_kernel/utils/telemetry
 */
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import * as semanticKernel from '#semconv/semantic-kernel';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'semantic-kernel';

export function speaks({ scope, attributes }: SpanEvidence): boolean {
  return (
    scope.name.startsWith(semanticKernel.SCOPE_SEMANTIC_KERNEL) ||
    scope.name.startsWith(semanticKernel.SCOPE_SEMANTIC_KERNEL_NET) ||
    attributes.hasRoot('sk')
  );
}

export function translate({ attributes }: SpanEvidence): void {
  const isStep = attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) === undefined;
  if (isStep && attributes.get(semanticKernel.ATTR_AVAILABLE_FUNCTIONS) !== undefined) {
    attributes.fill(openinference.ATTR_SPAN_KIND, 'CHAIN');
  }
  const reason = attributes.getText(semanticKernel.ATTR_FINISH_REASON);
  attributes.fill(openinference.ATTR_LLM_FINISH_REASON, reason?.replace(MEMBER_OF_ENUM, '').toLowerCase());
}

const MEMBER_OF_ENUM = /^\w+\./;

export const docs: DialectDocs = {
  title: 'Semantic Kernel',
  checkedVersion: 'semantic-kernel 1.45.0 (Python)',
  mappings: [
    {
      from: 'sk.available_functions',
      to: 'openinference.span.kind',
      note: 'CHAIN: the loop around model and tools.',
    },
    { from: 'gen_ai.response.finish_reason', to: 'llm.finish_reason', note: 'FinishReason.TOOL_CALLS is tool_calls.' },
  ],
  notCovered: ['sk.available_functions are names without definitions and are not translated.'],
};
