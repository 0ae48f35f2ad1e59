/** What to add to a program so that its traces become sessions. */
import type { Snippet } from './snippets.ts';

/** One way to name a session. */
export interface SessionSnippet extends Omit<Snippet, 'title'> {
  readonly id: string;
  readonly label: string;
}

/** See the file. */
export const SESSION_SNIPPETS: readonly SessionSnippet[] = [
  {
    id: 'python',
    label: 'Python',
    language: 'python',
    code: `from openinference.instrumentation import using_session

with using_session("chat-4711"):
    answer(question)`,
    note: 'Spans that OpenInference libraries record within the block name the session.',
  },
  {
    id: 'typescript',
    label: 'TypeScript',
    language: 'typescript',
    code: `import { context } from '@opentelemetry/api';
import { setSession } from '@arizeai/openinference-core';

context.with(setSession(context.active(), { sessionId: 'chat-4711' }), () => answer(question));`,
    note: 'Spans that OpenInference libraries record within the call name the session.',
  },
  {
    id: 'opentelemetry',
    label: 'Any span',
    language: 'python',
    code: `span.set_attribute("session.id", "chat-4711")`,
    note: 'Set the attribute on the root span of each trace, in any language. `gen_ai.conversation.id` means the same.',
  },
];
