import { useId } from 'react';
import fieldStyles from '#ui/components/field.module.css';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { useMay } from '#ui/lib/viewer.ts';
import type { KeyKind, KeyOperations } from './api-key.ts';
import styles from './key-limits.module.css';
import { type ChosenProject, ProjectPicker } from './project-picker.tsx';

/** To what a new key is limited. */
export interface Limits {
  readonly operations: KeyOperations | null;
  /** Null for all. */
  readonly projects: readonly ChosenProject[] | null;
}

/** No limits. */
export const UNLIMITED: Limits = { operations: null, projects: null };

/** What is wrong with limits, or undefined. */
export function limitsFault({ projects }: Limits): string | undefined {
  return projects?.length === 0 ? 'Choose at least one project.' : undefined;
}

interface KeyLimitsProps {
  readonly kind: KeyKind;
  readonly limits: Limits;
  readonly onChange: (limits: Limits) => void;
  /** Whether what is wrong is said. */
  readonly isChecked: boolean;
}

/** Asks what a key can do, and where. */
export function KeyLimits({ kind, limits, onChange, isChecked }: KeyLimitsProps) {
  const fault = limitsFault(limits);
  return (
    <>
      <OperationsField
        kind={kind}
        value={limits.operations}
        onChange={(operations) => onChange({ ...limits, operations })}
      />
      <div className={fieldStyles.field}>
        <span className={fieldStyles.label}>Projects</span>
        <SegmentedControl
          label="Projects"
          className={styles.choice}
          items={[
            { id: 'all', label: 'All projects' },
            { id: 'some', label: 'Chosen projects' },
          ]}
          selectedKey={limits.projects === null ? 'all' : 'some'}
          onSelectionChange={(choice) => onChange({ ...limits, projects: choice === 'all' ? null : [] })}
        />
        <span className={fieldStyles.hint}>
          {limits.projects === null
            ? 'Later projects are included.'
            : 'The key cannot use GraphQL, and cannot ask for a trace, span or session by its id alone.'}
        </span>
        {limits.projects !== null && (
          <ProjectPicker chosen={limits.projects} onChange={(projects) => onChange({ ...limits, projects })} />
        )}
        <span role="alert" className={fieldStyles.error}>
          {isChecked && fault}
        </span>
      </div>
    </>
  );
}

interface OperationsFieldProps {
  readonly kind: KeyKind;
  readonly value: KeyOperations | null;
  readonly onChange: (value: KeyOperations | null) => void;
}

function OperationsField({ kind, value, onChange }: OperationsFieldProps) {
  const hintId = useId();
  const mayWrite = useMay('write');
  const all = kind === 'system' ? 'Read, write and send telemetry, as a member can.' : 'Everything that you can do.';
  return (
    <div className={fieldStyles.field} aria-describedby={hintId}>
      <span className={fieldStyles.label}>What it can do</span>
      {mayWrite && (
        <SegmentedControl
          label="What it can do"
          className={styles.choice}
          items={[
            { id: 'all', label: 'Everything' },
            { id: 'READ', label: 'Read only' },
            { id: 'INGEST', label: 'Send only' },
          ]}
          selectedKey={value ?? 'all'}
          onSelectionChange={(choice) => onChange(choice === 'all' ? null : choice)}
        />
      )}
      <span id={hintId} className={fieldStyles.hint}>
        {!mayWrite && 'Read. As a viewer you cannot change anything, and neither can your keys.'}
        {mayWrite && value === null && `${all} It cannot create keys.`}
        {value === 'READ' && 'Read what is recorded. It cannot change anything, or send telemetry.'}
        {value === 'INGEST' && 'Send telemetry. It cannot read anything: best for programs that only export.'}
      </span>
    </div>
  );
}
