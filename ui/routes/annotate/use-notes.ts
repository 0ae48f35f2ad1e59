/** Adds and removes notes. Documents have none: a note on them is one on their span. */
import { graphql } from 'react-relay';
import type { useNotesDeleteSessionMutation } from '#ui/__generated__/useNotesDeleteSessionMutation.graphql.ts';
import type { useNotesDeleteSpanMutation } from '#ui/__generated__/useNotesDeleteSpanMutation.graphql.ts';
import type { useNotesDeleteTraceMutation } from '#ui/__generated__/useNotesDeleteTraceMutation.graphql.ts';
import type { useNotesSessionMutation } from '#ui/__generated__/useNotesSessionMutation.graphql.ts';
import type { useNotesSpanMutation } from '#ui/__generated__/useNotesSpanMutation.graphql.ts';
import type { useNotesTraceMutation } from '#ui/__generated__/useNotesTraceMutation.graphql.ts';
import { useCommit } from '../deletion/use-commit.ts';
import type { Target } from './model/target.ts';

const SPAN = graphql`
  mutation useNotesSpanMutation($input: [CreateSpanNoteInput!]!) {
    createSpanNotes(input: $input) {
      __typename
    }
  }
`;
const TRACE = graphql`
  mutation useNotesTraceMutation($input: [CreateTraceNoteInput!]!) {
    createTraceNotes(input: $input) {
      __typename
    }
  }
`;
const SESSION = graphql`
  mutation useNotesSessionMutation($input: [CreateProjectSessionNoteInput!]!) {
    createProjectSessionNotes(input: $input) {
      __typename
    }
  }
`;
const DELETE_SPAN = graphql`
  mutation useNotesDeleteSpanMutation($input: DeleteAnnotationsInput!) {
    deleteSpanNotes(input: $input) {
      __typename
    }
  }
`;
const DELETE_TRACE = graphql`
  mutation useNotesDeleteTraceMutation($input: DeleteAnnotationsInput!) {
    deleteTraceNotes(input: $input) {
      __typename
    }
  }
`;
const DELETE_SESSION = graphql`
  mutation useNotesDeleteSessionMutation($input: DeleteAnnotationsInput!) {
    deleteProjectSessionNotes(input: $input) {
      __typename
    }
  }
`;

/** See {@link useNotes}. */
export interface NoteCommands {
  add(note: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Both reject with the server's words. */
export function useNotes(kind: Target['kind'], id: string): NoteCommands {
  const span = useCommit<useNotesSpanMutation>(SPAN);
  const trace = useCommit<useNotesTraceMutation>(TRACE);
  const session = useCommit<useNotesSessionMutation>(SESSION);
  const deleteSpan = useCommit<useNotesDeleteSpanMutation>(DELETE_SPAN);
  const deleteTrace = useCommit<useNotesDeleteTraceMutation>(DELETE_TRACE);
  const deleteSession = useCommit<useNotesDeleteSessionMutation>(DELETE_SESSION);
  return {
    async add(note) {
      const said = { note, annotatorKind: 'HUMAN', source: 'APP' } as const;
      if (kind === 'trace') await trace({ input: [{ trace: { id }, ...said }] });
      else if (kind === 'session') await session({ input: [{ session: { id }, ...said }] });
      else await span({ input: [{ span: { id }, ...said }] });
    },
    async remove(noteId) {
      const input = { annotationIds: [noteId] };
      if (kind === 'trace') await deleteTrace({ input });
      else if (kind === 'session') await deleteSession({ input });
      else await deleteSpan({ input });
    },
  };
}
