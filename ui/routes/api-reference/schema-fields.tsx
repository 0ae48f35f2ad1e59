import type { Schema } from './api-document.ts';
import { fieldsOf, type Schemas, typeOf } from './describe-schema.ts';
import { FieldList } from './field-list.tsx';
import styles from './field-list.module.css';

/** See {@link SchemaFields}. */
export interface SchemaFieldsProps {
  readonly schema: Schema;
  readonly schemas: Schemas;
  readonly label: string;
}

/** The fields of an object, or what else a value is. */
export function SchemaFields({ schema, schemas, label }: SchemaFieldsProps) {
  const fields = fieldsOf(schema, schemas);
  if (fields.length > 0) return <FieldList fields={fields} schemas={schemas} label={label} />;
  return <p className={styles.type}>{typeOf(schema)}</p>;
}
