import { graphql, readInlineData } from 'react-relay';
import type { readJudgement_annotation$key } from '#ui/__generated__/readJudgement_annotation.graphql.ts';
import type { Judgement } from './model/judgements.ts';

const ANNOTATION = graphql`
  fragment readJudgement_annotation on Annotation @inline {
    name
    annotatorKind
    label
    score
    explanation
    source
    identifier
    updatedAt
    user {
      id
      username
    }
  }
`;

/** An annotation as the API answers it. */
export function readJudgement(annotation: { readonly id: string } & readJudgement_annotation$key): Judgement {
  const { label, score, explanation, user, ...rest } = readInlineData(ANNOTATION, annotation);
  return {
    ...rest,
    id: annotation.id,
    label: label ?? null,
    score: score ?? null,
    explanation: explanation ?? null,
    user: user ?? null,
  };
}
