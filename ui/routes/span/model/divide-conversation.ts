/** Divides a conversation: readers begin with the answer and the message that it answers. */
import type { ConversationMessage } from './conversation.ts';

/** See {@link divideConversation}. */
export interface DividedConversation {
  /** Read on request; empty where there are too few to be worth a press. */
  readonly earlier: readonly ConversationMessage[];
  /** The last input and everything after it. */
  readonly recent: readonly ConversationMessage[];
}

/** A fold of one message is no shorter than the message. */
const LEAST_FOLDED = 2;

/** Parts the messages before the last input from the last input and the answer. */
export function divideConversation(messages: readonly ConversationMessage[]): DividedConversation {
  const firstOutput = messages.findIndex(({ side }) => side === 'output');
  const lastInput = (firstOutput === -1 ? messages.length : firstOutput) - 1;
  if (lastInput < LEAST_FOLDED) return { earlier: [], recent: messages };
  return { earlier: messages.slice(0, lastInput), recent: messages.slice(lastInput) };
}

/** What a person said last in these messages, for the line that stands for them; undefined where nobody did. */
export function lastQuestion(messages: readonly ConversationMessage[]): string | undefined {
  const text = messages
    .findLast(({ role, parts }) => role === 'user' && parts.some(({ type }) => type === 'text'))
    ?.parts.find((part) => part.type === 'text');
  return text?.text.slice(0, MAX_QUESTION);
}

const MAX_QUESTION = 200;
