import { type FormEvent, useState } from 'react';
import { graphql, useMutation } from 'react-relay';
import type { newProjectDialogMutation } from '#ui/__generated__/newProjectDialogMutation.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import styles from './projects-page.module.css';

interface NewProjectDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onCreated: (projectId: string) => void;
}

const FORM = 'new-project';

/** Asks for the name of a new project and creates it. */
export function NewProjectDialog({ isOpen, onOpenChange, onCreated }: NewProjectDialogProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [commit, isCommitting] = useMutation<newProjectDialogMutation>(graphql`
    mutation newProjectDialogMutation($input: CreateProjectInput!) {
      createProject(input: $input) {
        project {
          id
          name
          description
        }
      }
    }
  `);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isCommitting) return;
    const trimmed = name.trim();
    if (trimmed === '') {
      setRefusal('Enter a name. Programs use it to send spans to the project.');
      return;
    }
    const said = description.trim();
    commit({
      variables: { input: { name: trimmed, description: said === '' ? null : said } },
      onCompleted: ({ createProject }, errors) => {
        const [error] = errors ?? [];
        if (error !== undefined) {
          setRefusal(error.message);
          return;
        }
        onOpenChange(false);
        setName('');
        setDescription('');
        onCreated(createProject.project.id);
      },
      onError: (error) => setRefusal(error.message),
    });
  }

  return (
    <Dialog
      title="New project"
      size="sm"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      actions={
        <>
          <Button onPress={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={isCommitting}>
            Create project
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} className={styles.form}>
        <TextField
          label="Name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The dialog asks for it, and nothing comes before it.
          autoFocus
          maxLength={200}
          value={name}
          onChange={(value) => {
            setName(value);
            setRefusal(undefined);
          }}
          isInvalid={refusal !== undefined}
          error={refusal}
          hint="Programs use this name to send spans to the project."
        />
        <TextField
          label="Description"
          placeholder="What this project records"
          value={description}
          onChange={setDescription}
        />
      </form>
    </Dialog>
  );
}
