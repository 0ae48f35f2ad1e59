import { useState } from 'react';
import { graphql } from 'react-relay';
import {
  type ConfigFault,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  OPTIMIZATION_DIRECTIONS,
} from '#domain/annotation-config';
import type { configDialogCreateMutation } from '#ui/__generated__/configDialogCreateMutation.graphql.ts';
import type { configDialogUpdateMutation } from '#ui/__generated__/configDialogUpdateMutation.graphql.ts';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Select } from '#ui/components/select.tsx';
import { TextArea } from '#ui/components/text-area.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { ServerError } from '#ui/lib/server-error.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { CONFIG_KINDS, type ShownConfig } from '../../annotation-configs/shown-config.ts';
import { useCommit } from '../../deletion/use-commit.ts';
import styles from './config-dialog.module.css';
import { DIRECTIONS } from './config-directions.ts';
import { type ConfigText, readConfig, toConfigInput, writeConfig } from './config-form.ts';
import { ValueFields } from './value-fields.tsx';

/** See {@link ConfigDialog}. */
export interface ConfigDialogProps {
  /** The config that is changed; absent: a new one is made. */
  readonly config?: ShownConfig | undefined;
  /** What is done with a new config before the window closes, by its global id. */
  readonly onCreated?: ((id: string) => Promise<unknown>) | undefined;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const CREATE = graphql`
  mutation configDialogCreateMutation($input: CreateAnnotationConfigInput!) {
    createAnnotationConfig(input: $input) {
      annotationConfig {
        ... on Node {
          id
        }
      }
    }
  }
`;

const UPDATE = graphql`
  mutation configDialogUpdateMutation($input: UpdateAnnotationConfigInput!) {
    updateAnnotationConfig(input: $input) {
      annotationConfig {
        __typename
      }
    }
  }
`;

const DIRECTION_ITEMS = OPTIMIZATION_DIRECTIONS.map((id) => ({ id, label: DIRECTIONS[id].label }));

/** Makes or changes an annotation config. */
export function ConfigDialog({ config, onCreated, onClose, onChanged }: ConfigDialogProps) {
  const [text, setText] = useState(() => writeConfig(config));
  const [faults, setFaults] = useState<readonly ConfigFault[]>([]);
  const create = useCommit<configDialogCreateMutation>(CREATE);
  const update = useCommit<configDialogUpdateMutation>(UPDATE);

  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    const read = readConfig(text);
    setFaults(read.faults);
    if (read.faults.length > 0) return false;
    const annotationConfig = toConfigInput(read.content);
    try {
      if (config === undefined) {
        const { id } = (await create({ input: { annotationConfig } })).createAnnotationConfig.annotationConfig;
        if (id !== undefined) await onCreated?.(id);
      } else await update({ input: { id: config.id, annotationConfig } });
    } catch (error) {
      if (!(error instanceof ServerError) || error.code !== 'already_exists') throw error;
      setFaults([{ field: 'name', message: error.message }]);
      return false;
    }
    onClose();
    onChanged();
    const name = revealHidden(read.content.name);
    showToast({ tone: 'success', title: `${name} was ${config === undefined ? 'created' : 'changed'}` });
    return true;
  });

  function change(next: Partial<ConfigText>): void {
    setText((before) => ({ ...before, ...next }));
    setFaults([]);
  }
  const faultOf = (field: ConfigFault['field']) => {
    const fault = faults.find((one) => one.field === field);
    return { isInvalid: fault !== undefined, error: fault?.message };
  };
  const numberField = (field: 'lowerBound' | 'upperBound' | 'threshold', label: string, placeholder: string) => (
    <TextField
      label={label}
      placeholder={placeholder}
      inputMode="decimal"
      autoComplete="off"
      value={text[field]}
      onChange={(value) => change({ [field]: value })}
      {...faultOf(field)}
    />
  );

  return (
    <FormDialog
      title={config === undefined ? 'New annotation config' : 'Edit annotation config'}
      verb={config === undefined ? 'Create config' : 'Save'}
      size="md"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <SegmentedControl
        label="Type"
        items={CONFIG_KINDS}
        selectedKey={text.kind}
        onSelectionChange={(kind) => change({ kind })}
        className={styles.start}
      />
      <TextField
        label="Name"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The window was opened to fill it in.
        autoFocus
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        value={text.name}
        onChange={(name) => change({ name })}
        hint="The name of the annotations that the config is for."
        {...faultOf('name')}
      />
      <TextArea
        label="Description"
        placeholder="What to look at, and when to choose what"
        rows={2}
        maxLength={MAX_DESCRIPTION_LENGTH}
        value={text.description}
        onChange={(description) => change({ description })}
      />
      {text.kind === 'CATEGORICAL' ? (
        <ValueFields values={text.values} faults={faults} onChange={(values) => change({ values })} />
      ) : (
        <div className={styles.numbers}>
          {numberField('lowerBound', 'Lowest score', 'no bound')}
          {numberField('upperBound', 'Highest score', 'no bound')}
          {text.kind === 'FREEFORM' && numberField('threshold', 'Threshold', 'none')}
        </div>
      )}
      <Select
        label="Better scores"
        items={DIRECTION_ITEMS}
        selectedKey={text.direction}
        onSelectionChange={(direction) => change({ direction })}
      />
      <Checkbox isSelected={text.isStrict} onChange={(isStrict) => change({ isStrict })}>
        {text.kind === 'CATEGORICAL'
          ? 'Refuse annotations of this name with other labels or scores'
          : 'Refuse annotations of this name with scores outside the bounds'}
      </Checkbox>
    </FormDialog>
  );
}
