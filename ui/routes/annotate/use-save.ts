/** Stores and removes what somebody says of a target. Each kind of target has mutations of its own. */
import { graphql } from 'react-relay';
import type { useSaveDeleteDocumentMutation } from '#ui/__generated__/useSaveDeleteDocumentMutation.graphql.ts';
import type { useSaveDeleteSessionMutation } from '#ui/__generated__/useSaveDeleteSessionMutation.graphql.ts';
import type { useSaveDeleteSpanMutation } from '#ui/__generated__/useSaveDeleteSpanMutation.graphql.ts';
import type { useSaveDeleteTraceMutation } from '#ui/__generated__/useSaveDeleteTraceMutation.graphql.ts';
import type { useSaveDocumentMutation } from '#ui/__generated__/useSaveDocumentMutation.graphql.ts';
import type { useSaveSessionMutation } from '#ui/__generated__/useSaveSessionMutation.graphql.ts';
import type { useSaveSpanMutation } from '#ui/__generated__/useSaveSpanMutation.graphql.ts';
import type { useSaveTraceMutation } from '#ui/__generated__/useSaveTraceMutation.graphql.ts';
import { useViewer } from '#ui/lib/viewer.ts';
import { useCommit } from '../deletion/use-commit.ts';
import type { Answer } from './model/answers.ts';
import type { Target } from './model/target.ts';

const SPAN = graphql`
  mutation useSaveSpanMutation($input: [CreateSpanAnnotationInput!]!) {
    createSpanAnnotations(input: $input) {
      __typename
    }
  }
`;
const TRACE = graphql`
  mutation useSaveTraceMutation($input: [CreateTraceAnnotationInput!]!) {
    createTraceAnnotations(input: $input) {
      __typename
    }
  }
`;
const SESSION = graphql`
  mutation useSaveSessionMutation($input: CreateProjectSessionAnnotationInput!) {
    createProjectSessionAnnotations(input: $input) {
      __typename
    }
  }
`;
const DOCUMENT = graphql`
  mutation useSaveDocumentMutation($input: [CreateDocumentAnnotationInput!]!) {
    createDocumentAnnotations(input: $input) {
      __typename
    }
  }
`;
const DELETE_SPAN = graphql`
  mutation useSaveDeleteSpanMutation($input: DeleteAnnotationsInput!) {
    deleteSpanAnnotations(input: $input) {
      __typename
    }
  }
`;
const DELETE_TRACE = graphql`
  mutation useSaveDeleteTraceMutation($input: DeleteAnnotationsInput!) {
    deleteTraceAnnotations(input: $input) {
      __typename
    }
  }
`;
const DELETE_SESSION = graphql`
  mutation useSaveDeleteSessionMutation($id: ID!) {
    deleteProjectSessionAnnotation(id: $id) {
      __typename
    }
  }
`;
const DELETE_DOCUMENT = graphql`
  mutation useSaveDeleteDocumentMutation($input: DeleteAnnotationsInput!) {
    deleteDocumentAnnotations(input: $input) {
      __typename
    }
  }
`;

/** See {@link useSave}. */
export interface Save {
  /** One for each name; what was said under the same name before is replaced. */
  store(answers: readonly { readonly name: string; readonly answer: Answer }[]): Promise<void>;
  /** Removes annotations by their global ids. */
  remove(ids: readonly string[]): Promise<void>;
}

/** What changes what is said of a target. Both reject with the server's words. */
export function useSave(target: Target): Save {
  const viewer = useViewer();
  const span = useCommit<useSaveSpanMutation>(SPAN);
  const trace = useCommit<useSaveTraceMutation>(TRACE);
  const session = useCommit<useSaveSessionMutation>(SESSION);
  const document = useCommit<useSaveDocumentMutation>(DOCUMENT);
  const deleteSpan = useCommit<useSaveDeleteSpanMutation>(DELETE_SPAN);
  const deleteTrace = useCommit<useSaveDeleteTraceMutation>(DELETE_TRACE);
  const deleteSession = useCommit<useSaveDeleteSessionMutation>(DELETE_SESSION);
  const deleteDocument = useCommit<useSaveDeleteDocumentMutation>(DELETE_DOCUMENT);
  const { id } = target;
  // While authentication is off nobody has an identifier of their own, and programs leave theirs empty.
  const identifier = viewer === null ? { identifier: 'px-app' } : {};
  const said = { annotatorKind: 'HUMAN', source: 'APP', metadata: {}, ...identifier } as const;

  async function store(answers: Parameters<Save['store']>[0]): Promise<void> {
    if (answers.length === 0) return;
    const inputs = answers.map(({ name, answer }) => ({ name, ...answer, ...said }));
    switch (target.kind) {
      case 'span':
        await span({ input: inputs.map((input) => ({ spanId: id, ...input })) });
        return;
      case 'trace':
        await trace({ input: inputs.map((input) => ({ traceId: id, ...input })) });
        return;
      case 'document':
        await document({
          input: inputs.map((input) => ({ spanId: id, documentPosition: target.position, ...input })),
        });
        return;
      case 'session':
        for (const input of inputs) await session({ input: { projectSessionId: id, ...input } });
        return;
      default:
        target satisfies never;
    }
  }

  async function remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const input = { annotationIds: [...ids] };
    switch (target.kind) {
      case 'span':
        await deleteSpan({ input });
        return;
      case 'trace':
        await deleteTrace({ input });
        return;
      case 'document':
        await deleteDocument({ input });
        return;
      case 'session':
        for (const annotationId of ids) await deleteSession({ id: annotationId });
        return;
      default:
        target satisfies never;
    }
  }

  return { store, remove };
}
