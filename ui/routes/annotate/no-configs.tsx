import { Link } from '@tanstack/react-router';
import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { graphql } from 'react-relay';
import type { noConfigsAddMutation } from '#ui/__generated__/noConfigsAddMutation.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { useCommit } from '../deletion/use-commit.ts';
import { ConfigDialog } from '../settings/annotations/config-dialog.tsx';
import styles from './annotate-panel.module.css';

const ADD = graphql`
  mutation noConfigsAddMutation($input: [AddAnnotationConfigToProjectInput!]!) {
    addAnnotationConfigToProject(input: $input) {
      __typename
    }
  }
`;

/** Stands above the form for any name where a project asks for nothing: makes a config that it asks for from then on. */
export function FirstConfig({ projectId, onMade }: { readonly projectId: string; readonly onMade: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const add = useCommit<noConfigsAddMutation>(ADD);
  return (
    <div className={styles.first}>
      <p>
        This project asks for no annotations yet. Annotate under any name, make a config that asks the same of every
        span, trace and session, or{' '}
        <Link to="/projects/$projectId/config" params={{ projectId }}>
          choose from those that exist
        </Link>
        .
      </p>
      <Button size="sm" icon={Settings2} onPress={() => setIsOpen(true)}>
        New config
      </Button>
      {isOpen && (
        <ConfigDialog
          onCreated={(annotationConfigId) => add({ input: [{ projectId, annotationConfigId }] })}
          onClose={() => setIsOpen(false)}
          onChanged={onMade}
        />
      )}
    </div>
  );
}
