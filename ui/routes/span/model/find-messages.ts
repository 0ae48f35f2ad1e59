/** Searching what was said in a conversation. */
import { formatJson } from '#ui/components/json-view/format-json.ts';
import type { ConversationMessage, ConversationPart } from './conversation.ts';
import type { MessagePart } from './message.ts';

/** So many are looked through without help. */
export const MAX_UNSEARCHED = 20;

/** What a message says and calls, as one text. */
export function textOfMessage({ parts }: Pick<ConversationMessage, 'parts'>): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'tool_call' ? `${part.call.name ?? 'tool'}(${formatJson(part.call.arguments ?? null)})` : [];
    })
    .join('\n\n');
}

/** The indexes of the messages in which the query occurs, in what tools answered and in reasoning too, in any letter case. */
export function findMessages(messages: readonly Pick<ConversationMessage, 'parts'>[], query: string): number[] {
  const searched = query.trim().toLowerCase();
  if (searched === '') return [];
  return messages.flatMap(({ parts }, index) =>
    textsOf(parts).some((text) => text.toLowerCase().includes(searched)) ? [index] : [],
  );
}

function textsOf(parts: readonly (ConversationPart | MessagePart)[]): string[] {
  return parts.flatMap((part): string[] => {
    switch (part.type) {
      case 'text':
        return [part.text];
      case 'reasoning':
        return part.text === undefined ? [] : [part.text];
      case 'json':
        return [formatJson(part.value)];
      case 'media':
        return [part.name ?? '', part.transcript ?? ''];
      case 'redacted':
        return [];
      case 'tool_call':
        return [
          part.call.name ?? '',
          typeof part.call.arguments === 'string' ? part.call.arguments : formatJson(part.call.arguments ?? null),
          ...('results' in part ? part.results.flatMap((result) => textsOf(result.parts)) : []),
        ];
      default:
        return part satisfies never;
    }
  });
}
