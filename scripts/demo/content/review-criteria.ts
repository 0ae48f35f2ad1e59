interface Outcome {
  readonly label: string;
  readonly score: number;
  readonly explanations: readonly string[];
}

/** What a judge asks of a reply, and the verdicts that it can give. */
export interface Criterion {
  readonly name: string;
  readonly question: string;
  readonly weights: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

export const JUDGE_TEMPLATE = `You review replies of a support assistant. Judge one thing only: {criterion}

Customer: {question}
---
Reply: {reply}
---
Think it through, then answer with JSON: {"label": ..., "score": 0 to 1, "explanation": one or two sentences}.`;

export const CRITERIA: readonly Criterion[] = [
  {
    name: 'groundedness',
    question: 'is every claim of the reply supported by the passages and tool results it had?',
    weights: { good: 84, partly: 11, bad: 5 },
    outcomes: {
      good: {
        label: 'grounded',
        score: 1,
        explanations: [
          'Each figure in the reply stands in a passage or a tool result; nothing is added.',
          'The deadlines and conditions match the help-centre article word for word.',
          'Every statement can be traced to a passage or a tool result; what is only likely is marked as such.',
        ],
      },
      partly: {
        label: 'partly grounded',
        score: 0.5,
        explanations: [
          'The policy is quoted correctly, but one figure does not occur in any passage.',
          'Advice is sound and common knowledge, yet one sentence goes beyond the retrieved article.',
        ],
      },
      bad: {
        label: 'ungrounded',
        score: 0,
        explanations: ['A condition that decides the case stands in none of the passages and in no tool result.'],
      },
    },
  },
  {
    name: 'helpfulness',
    question: 'does the reply solve the problem or name the next step?',
    weights: { good: 78, partly: 17, bad: 5 },
    outcomes: {
      good: {
        label: 'helpful',
        score: 1,
        explanations: [
          'Answers the question in the first sentence and offers the next step without being asked.',
          'The customer can act at once: what to do, by when, and what it costs are all stated.',
        ],
      },
      partly: {
        label: 'partly helpful',
        score: 0.5,
        explanations: [
          'Explains the rule but leaves the customer to start the process.',
          'Correct, but the essential step comes last and is easy to miss.',
        ],
      },
      bad: {
        label: 'unhelpful',
        score: 0,
        explanations: ['Repeats the policy although the customer asked for an exception and a person to decide it.'],
      },
    },
  },
  {
    name: 'tone',
    question: 'is the reply friendly, plain and free of empty phrases?',
    weights: { good: 92, partly: 8 },
    outcomes: {
      good: {
        label: 'on brand',
        score: 0.9,
        explanations: ['Warm and brief, without stock phrases.', 'Plain language, no jargon.'],
      },
      partly: { label: 'stiff', score: 0.4, explanations: ['Polite but reads like terms and conditions.'] },
    },
  },
];
