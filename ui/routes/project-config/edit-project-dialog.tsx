import { useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { graphql } from 'react-relay';
import type { editProjectDialogMutation } from '#ui/__generated__/editProjectDialogMutation.graphql.ts';
import type { DefaultTab } from '#domain/project';
import fieldStyles from '#ui/components/field.module.css';
import { FormDialog } from '#ui/components/form-dialog.tsx';
import { ProjectMark } from '#ui/components/project-mark.tsx';
import { Select } from '#ui/components/select.tsx';
import { TextArea } from '#ui/components/text-area.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { useSubmit } from '#ui/lib/use-submit.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { COLOUR_PRESETS, OWN_COLOURS, presetOf, type ProjectColours } from './colours.ts';
import styles from './project-config.module.css';
import { TAB_CHOICES, type TabChoice } from './tab-choices.ts';

interface EditProjectDialogProps {
  readonly project: ProjectColours & {
    readonly id: string;
    readonly name: string;
    readonly description: string | null;
    readonly defaultTab: DefaultTab | undefined;
  };
  readonly onClose: () => void;
}

const MAX_DESCRIPTION = 10_000;

/** Changes what people say of a project, and which tab it opens with. */
export function EditProjectDialog({ project, onClose }: EditProjectDialogProps) {
  const [description, setDescription] = useState(project.description ?? '');
  const [tab, setTab] = useState<TabChoice>(project.defaultTab ?? 'last');
  const [colours, setColours] = useState<ProjectColours>(project);
  const patch = useCommit<editProjectDialogMutation>(graphql`
    mutation editProjectDialogMutation($input: PatchProjectInput!) {
      patchProject(input: $input) {
        project {
          id
          description
          gradientStartColor
          gradientEndColor
          defaultTab
        }
      }
    }
  `);
  const { onSubmit, isPending, refusal } = useSubmit(async () => {
    await patch({
      input: {
        id: project.id,
        description,
        gradientStartColor: colours.startColor,
        gradientEndColor: colours.endColor,
        defaultTab: tab === 'last' ? null : tab,
      },
    });
    onClose();
    showToast({ tone: 'success', title: `${revealHidden(project.name)} was changed` });
  });
  return (
    <FormDialog
      title="Edit project"
      verb="Save"
      size="md"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      refusal={refusal}
    >
      <TextArea
        label="Description"
        placeholder="What this project records"
        maxLength={MAX_DESCRIPTION}
        value={description}
        onChange={setDescription}
      />
      <Select label="Opens with" items={TAB_CHOICES} selectedKey={tab} onSelectionChange={setTab} />
      <ColourField colours={colours} onChange={setColours} />
    </FormDialog>
  );
}

interface ColourFieldProps {
  readonly colours: ProjectColours;
  readonly onChange: (colours: ProjectColours) => void;
}

function ColourField({ colours, onChange }: ColourFieldProps) {
  const [chosen, setChosen] = useState(() => presetOf(colours));
  function choose(id: string): void {
    setChosen(id);
    const preset = COLOUR_PRESETS.find((one) => one.id === id);
    if (preset !== undefined) onChange({ startColor: preset.startColor, endColor: preset.endColor });
  }
  return (
    <>
      <RadioGroup className={fieldStyles.field} value={chosen} onChange={choose} orientation="horizontal">
        <Label className={fieldStyles.label}>Colours</Label>
        <div className={styles.presets}>
          {COLOUR_PRESETS.map(({ id, label, startColor, endColor }) => (
            <Radio key={id} value={id} className={styles.preset}>
              <ProjectMark from={startColor} to={endColor} />
              {label}
            </Radio>
          ))}
          <Radio value={OWN_COLOURS} className={styles.preset}>
            <ProjectMark from={colours.startColor} to={colours.endColor} />
            Own colours
          </Radio>
        </div>
      </RadioGroup>
      {chosen === OWN_COLOURS && (
        <div className={styles.ownColours}>
          <ColourInput
            label="From"
            value={colours.startColor}
            onChange={(startColor) => onChange({ ...colours, startColor })}
          />
          <ColourInput
            label="To"
            value={colours.endColor}
            onChange={(endColor) => onChange({ ...colours, endColor })}
          />
        </div>
      )}
    </>
  );
}

interface ColourInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ColourInput({ label, value, onChange }: ColourInputProps) {
  return (
    <label className={styles.colourInput}>
      {label}
      <input type="color" value={value} onChange={({ target }) => onChange(target.value)} />
      <code>{value}</code>
    </label>
  );
}
