/**
 * Anthropic's own spans: the GenAI conventions, with names of its own for what those do not have.
 * @see https://platform.claude.com/docs/en/api/opentelemetry/spans
 */
import { jsonObject } from '#base/json';
import * as anthropic from '#semconv/anthropic';
import * as openinference from '#semconv/openinference';
import { fillToolRun } from '../gen-ai/content.ts';
import { readParameters } from '../gen-ai/parameters.ts';
import { toJsonText } from '../json-value.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'anthropic';

export function speaks({ scope }: SpanEvidence): boolean {
  return (
    scope.name.startsWith(anthropic.SCOPE_ANTHROPIC_SDK) || scope.name.startsWith(anthropic.SCOPE_ANTHROPIC_PLATFORM)
  );
}

export function translate({ attributes }: SpanEvidence): void {
  fillToolRun(attributes, undefined, attributes.get(anthropic.ATTR_TOOL_RESULT_CONTENT));
  attributes.fill(openinference.ATTR_LLM_FINISH_REASON, attributes.getText(anthropic.ATTR_STOP_REASON));
  const type = attributes.get(anthropic.ATTR_THINKING_TYPE);
  if (type === undefined) return;
  const thinking = jsonObject();
  thinking['type'] = type;
  const budget = attributes.get(anthropic.ATTR_THINKING_BUDGET_TOKENS);
  if (budget !== undefined) thinking['budget_tokens'] = budget;
  const parameters = readParameters((key) => attributes.get(key));
  parameters['thinking'] = thinking;
  attributes.fill(openinference.ATTR_LLM_INVOCATION_PARAMETERS, toJsonText(parameters));
}

export const docs: DialectDocs = {
  title: 'Anthropic’s own spans',
  checkedVersion: 'anthropic 2.11.0 (Python)',
  mappings: [
    { from: 'anthropic.message.stop_reason', to: 'llm.finish_reason' },
    {
      from: 'anthropic.tool_result.content',
      to: 'output.value',
      note: 'The blocks that a tool run gave; texts alone are shown as text.',
    },
    {
      from: 'anthropic.thinking.type, anthropic.thinking.budget_tokens',
      to: 'llm.invocation_parameters',
      note: 'As thinking, next to the other parameters.',
    },
  ],
  notCovered: [
    'A part of type anthropic_image has no data: it is shown as an image that was not recorded.',
    'The split of cached tokens by lifetime (anthropic.usage.cache_creation.*) is not translated.',
  ],
};
