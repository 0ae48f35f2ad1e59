/** Facts that `carried` names although nobody could show them, with the reason: docs/dialects.md repeats them. */

/** Facts of scenarios that need not be shown. */
export interface Exception {
  readonly folder: string;
  readonly scenarios: 'all' | readonly string[];
  readonly facts: readonly string[];
  readonly reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    folder: 'openinference-haystack',
    scenarios: ['retrieval'],
    facts: ['retrieval_query'],
    reason: 'The retriever is given the vector of the question; its text is on the span of the embedder.',
  },
  {
    folder: 'openinference-langchain',
    scenarios: ['retrieval'],
    facts: ['embedding_input'],
    reason: 'LangChain’s embeddings have no spans; the question is found because other spans have it.',
  },
  {
    folder: 'openinference-openai-agents',
    scenarios: ['chat-completions'],
    facts: ['tool_definitions'],
    reason: 'Of chat completions no definition is sent; the tool’s name is found on the span of its run.',
  },
  {
    folder: 'openinference-smolagents',
    scenarios: ['error'],
    facts: ['tool_definitions'],
    reason: 'The refused call names its tools in the text of its system prompt only.',
  },
];
