import { graphql, readInlineData } from 'react-relay';
import type { readFields_config$data, readFields_config$key } from '#ui/__generated__/readFields_config.graphql.ts';
import type { readFields_project$key } from '#ui/__generated__/readFields_project.graphql.ts';
import type { readFields_queue$key } from '#ui/__generated__/readFields_queue.graphql.ts';
import type { AnswerField } from './model/answers.ts';

const CONFIG = graphql`
  fragment readFields_config on AnnotationConfig @inline {
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
`;

const PROJECT = graphql`
  fragment readFields_project on Project @inline {
    annotationConfigs(first: 200) {
      edges {
        node {
          ...readFields_config
        }
      }
    }
  }
`;

const QUEUE = graphql`
  fragment readFields_queue on AnnotationQueue @inline {
    questions: annotationConfigs {
      ...readFields_config
    }
  }
`;

/** What a project asks for, as the API answers it. */
export function readFields(project: readFields_project$key): readonly AnswerField[] {
  return readInlineData(PROJECT, project).annotationConfigs.edges.flatMap(({ node }) => toField(node));
}

/** What a review queue asks, in its order. */
export function readQuestions(queue: readFields_queue$key): readonly AnswerField[] {
  return readInlineData(QUEUE, queue).questions.flatMap(toField);
}

function toField(key: readFields_config$key): readonly AnswerField[] {
  const config: readFields_config$data = readInlineData(CONFIG, key);
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
