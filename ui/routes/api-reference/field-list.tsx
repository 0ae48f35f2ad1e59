import { useState } from 'react';
import { type Field, fieldsOf, type Schemas } from './describe-schema.ts';
import styles from './field-list.module.css';
import { InlineText } from './inline-text.tsx';

/** See {@link FieldList}. */
export interface FieldListProps {
  readonly fields: readonly Field[];
  readonly schemas: Schemas;
  readonly label: string;
}

/** Fields with their types; those of objects open on request, so that a type that holds itself has no end and needs none. */
export function FieldList({ fields, schemas, label }: FieldListProps) {
  return (
    <ul className={styles.fields} aria-label={label}>
      {fields.map((field) => (
        <li key={field.name} className={styles.field}>
          <p className={styles.line}>
            <code className={styles.name}>{field.name}</code>
            <span className={styles.type}>{field.type}</span>
            {field.isRequired && <span className={styles.required}>required</span>}
            {field.rules.map((rule) => (
              <span key={rule} className={styles.rule}>
                {rule}
              </span>
            ))}
          </p>
          {field.description !== undefined && (
            <p className={styles.description}>
              <InlineText text={field.description} />
            </p>
          )}
          {field.values.length > 0 && (
            <p className={styles.values}>
              {field.values.map((value) => (
                <code key={value}>{value}</code>
              ))}
            </p>
          )}
          {field.inner !== undefined && <Inner field={field} schemas={schemas} />}
        </li>
      ))}
    </ul>
  );
}

function Inner({ field, schemas }: { readonly field: Field; readonly schemas: Schemas }) {
  const [isOpen, setIsOpen] = useState(false);
  if (field.inner === undefined) return null;
  return (
    <details className={styles.inner} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Fields of {field.name}</summary>
      {isOpen && (
        <FieldList fields={fieldsOf(field.inner, schemas)} schemas={schemas} label={`Fields of ${field.name}`} />
      )}
    </details>
  );
}
