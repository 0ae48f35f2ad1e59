import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import styles from './add-attribute.module.css';
import { type AttributeTable, useAttributePathsShown } from './attribute-columns.tsx';
import { MAX_ATTRIBUTE_COLUMNS } from './attribute-ids.ts';
import { useAttributePaths } from './facets/use-facets.ts';
import type { ListScope } from './list-scope.ts';

/** Attributes that are offered at a time. */
const MAX_OFFERED = 6;

/** What a column shows already; who wants it nevertheless writes it. */
const HAS_COLUMN =
  /^(?:(?:input|output)\.(?:value|mime_type)|openinference\.span\.kind|llm\.model_name|(?:user|session)\.id)$/;

/** Adds columns for attributes: those that the project's spans have are offered, any other can be written. */
export function AddAttribute({ scope, table }: { readonly scope: ListScope; readonly table: AttributeTable }) {
  const [shown, setShown] = useAttributePathsShown(scope.projectId, table);
  const [search, setSearch] = useState('');
  const titleId = useId();
  const text = search.trim();
  const fitting = useAttributePaths(scope).filter(
    (path) => !shown.includes(path) && !HAS_COLUMN.test(path) && path.toLowerCase().includes(text.toLowerCase()),
  );
  const isNew = text !== '' && !shown.includes(text) && !fitting.includes(text);
  const offered = [...(fitting.includes(text) ? [text] : []), ...fitting.filter((path) => path !== text)];
  const choices = [...offered.slice(0, MAX_OFFERED), ...(isNew ? [text] : [])];

  function add(path: string | undefined): void {
    if (path === undefined) return;
    setShown([...shown, path]);
    setSearch('');
  }

  return (
    <section className={styles.section} aria-labelledby={titleId}>
      <h3 id={titleId} className={styles.title}>
        Add attribute
      </h3>
      {shown.length >= MAX_ATTRIBUTE_COLUMNS ? (
        <p className={styles.note}>
          A table has at most {MAX_ATTRIBUTE_COLUMNS} attributes. Remove one to add another.
        </p>
      ) : (
        <>
          <SearchField
            className={styles.field}
            label="Attribute to add"
            placeholder="llm.provider"
            value={search}
            onChange={setSearch}
            onSubmit={() => add(choices[0])}
          />
          <ul className={styles.list}>
            {choices.map((path) => (
              <li key={path}>
                <Button
                  size="sm"
                  variant="ghost"
                  icon={Plus}
                  className={styles.choice}
                  aria-label={`Add ${path}`}
                  onPress={() => add(path)}
                >
                  <span className={styles.path}>{path}</span>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
