import { graphql, readInlineData } from 'react-relay';
import type { readFields_project$data, readFields_project$key } from '#ui/__generated__/readFields_project.graphql.ts';
import type { AnswerField } from './model/answers.ts';

const PROJECT = graphql`
  fragment readFields_project on Project @inline {
    annotationConfigs(first: 200) {
      edges {
        node {
          __typename
          ... on CategoricalAnnotationConfig {
            name
            description
            values {
              label
              score
            }
          }
          ... on ContinuousAnnotationConfig {
            name
            description
            lowerBound
            upperBound
          }
          ... on FreeformAnnotationConfig {
            name
            description
          }
        }
      }
    }
  }
`;

/** What a project asks for, as the API answers it. */
export function readFields(project: readFields_project$key): readonly AnswerField[] {
  return readInlineData(PROJECT, project).annotationConfigs.edges.flatMap(({ node }) => toField(node));
}

type AnsweredConfig = readFields_project$data['annotationConfigs']['edges'][number]['node'];

function toField(config: AnsweredConfig): readonly AnswerField[] {
  switch (config.__typename) {
    case 'CategoricalAnnotationConfig': {
      const { name, description = null, values } = config;
      const choices = values.map(({ label, score = null }) => ({ label, score }));
      return [{ kind: 'categorical', name, description, values: choices }];
    }
    case 'ContinuousAnnotationConfig': {
      const { name, description = null, lowerBound = null, upperBound = null } = config;
      return [{ kind: 'continuous', name, description, lowerBound, upperBound }];
    }
    case 'FreeformAnnotationConfig':
      return [{ kind: 'freeform', name: config.name, description: config.description ?? null }];
    default:
      return [];
  }
}
