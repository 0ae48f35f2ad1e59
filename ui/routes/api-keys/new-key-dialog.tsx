import { useState } from 'react';
import { graphql } from 'react-relay';
import type { newKeyDialogPersonalMutation } from '#ui/__generated__/newKeyDialogPersonalMutation.graphql.ts';
import type { newKeyDialogSystemMutation } from '#ui/__generated__/newKeyDialogSystemMutation.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { DateTimeField } from '#ui/components/date-time-field.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { Select } from '#ui/components/select.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { toWallTime } from '#ui/lib/zoned-time.ts';
import { useCommit } from '../deletion/use-commit.ts';
import type { KeyKind } from './api-key.ts';
import { EXPIRIES, type ExpiryChoice, expiryOf } from './expiry.ts';
import { KeyLimits, type Limits, limitsFault, UNLIMITED } from './key-limits.tsx';
import { ShownOnce } from './shown-once.tsx';
import styles from './new-key-dialog.module.css';

const PERSONAL = graphql`
  mutation newKeyDialogPersonalMutation($input: CreateUserApiKeyInput!) {
    created: createUserApiKey(input: $input) {
      jwt
    }
  }
`;

const SYSTEM = graphql`
  mutation newKeyDialogSystemMutation($input: CreateApiKeyInput!) {
    created: createSystemApiKey(input: $input) {
      jwt
    }
  }
`;

interface NewKeyDialogProps {
  readonly kind: KeyKind;
  /** Called with the key itself. */
  readonly onCreated: (text: string) => void;
  readonly onClose: () => void;
}

interface CreatedKey {
  readonly name: string;
  readonly text: string;
  readonly canSend: boolean;
  readonly project: string | undefined;
}

/** Asks what a new key is for and what it can do, creates it, and shows it once. */
export function NewKeyDialog({ kind, onCreated, onClose }: NewKeyDialogProps) {
  const [created, setCreated] = useState<CreatedKey>();
  if (created !== undefined)
    return (
      <Dialog
        title="Copy the key now"
        isOpen
        isHeld
        onOpenChange={onClose}
        actions={
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        <ShownOnce {...created} />
      </Dialog>
    );
  return (
    <KeyForm
      kind={kind}
      onClose={onClose}
      onCreated={(key) => {
        setCreated(key);
        onCreated(key.text);
      }}
    />
  );
}

interface KeyFormProps {
  readonly kind: KeyKind;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
}

const DAY_MS = 86_400_000;

function KeyForm({ kind, onClose, onCreated }: KeyFormProps) {
  const zone = useTimeZone();
  const [openedMs] = useState(() => Date.now());
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [expiry, setExpiry] = useState<ExpiryChoice>('90');
  const [written, setWritten] = useState(() => toWallTime(openedMs + 7 * DAY_MS, zone));
  const [limits, setLimits] = useState<Limits>(UNLIMITED);
  const [isChecked, setIsChecked] = useState(false);
  const mayWrite = useMay('write');
  const createPersonal = useCommit<newKeyDialogPersonalMutation>(PERSONAL);
  const createSystem = useCommit<newKeyDialogSystemMutation>(SYSTEM);
  const endMs = expiryOf(expiry, { written, zone, nowMs: openedMs });
  const isNameMissing = name.trim() === '';

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    setIsChecked(true);
    if (isNameMissing || endMs === undefined || limitsFault(limits) !== undefined) return false;
    const { operations, projects } = limits;
    const input = {
      name: name.trim(),
      description: description.trim() === '' ? null : description.trim(),
      expiresAt: endMs === null ? null : new Date(endMs).toISOString(),
      operations,
      projectIds: projects?.map((project) => project.id) ?? null,
    };
    const { created } = await (kind === 'system' ? createSystem({ input }) : createPersonal({ input }));
    const canSend = mayWrite && operations !== 'READ';
    onCreated({ name: input.name, text: created.jwt, canSend, project: projects?.[0]?.name });
    return true;
  });

  return (
    <FormDialog
      title={kind === 'system' ? 'New system key' : 'New API key'}
      verb="Create key"
      size="md"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <TextField
        label="Name"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window asks for it, and nothing comes before it.
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={name}
        onChange={setName}
        isInvalid={isChecked && isNameMissing}
        error="Enter a name."
        hint="Where the key will be used: a program, a machine."
      />
      <TextField
        label="Description (optional)"
        autoComplete="off"
        maxLength={1000}
        value={description}
        onChange={setDescription}
      />
      <div className={styles.expiry}>
        <Select label="Expires" items={EXPIRIES} selectedKey={expiry} onSelectionChange={setExpiry} />
        {expiry === 'own' && (
          <DateTimeField
            label={`Time, in ${zone}`}
            value={written}
            onChange={setWritten}
            isInvalid={endMs === undefined}
          />
        )}
        <p className={styles.note} role={isChecked && endMs === undefined ? 'alert' : undefined}>
          {endMs === undefined && <span className={styles.fault}>Choose a time that is still to come.</span>}
          {endMs === null && 'The key works until it is deleted.'}
          {endMs != null && (
            <>
              The key works until <Timestamp value={new Date(endMs).toISOString()} style="time" />.
            </>
          )}
        </p>
      </div>
      <KeyLimits kind={kind} limits={limits} onChange={setLimits} isChecked={isChecked} />
    </FormDialog>
  );
}
