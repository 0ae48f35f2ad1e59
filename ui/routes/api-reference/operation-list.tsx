import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import type { OperationGroup } from './api-document.ts';
import { Method } from './method.tsx';
import styles from './operation-list.module.css';

/** See {@link OperationList}. */
export interface OperationListProps {
  readonly groups: readonly OperationGroup[];
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly fieldRef: RefObject<HTMLInputElement | null>;
}

/** All operations by what they are about, and a field that narrows them. */
export function OperationList({ groups, text, onSearch, fieldRef }: OperationListProps) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div className={styles.side}>
      <div className={styles.search}>
        <SearchField
          label="Find an operation"
          placeholder="Find an operation"
          shortcut="/"
          value={text}
          onChange={onSearch}
          inputRef={fieldRef}
          className={styles.field}
        />
      </div>
      <nav ref={list} className={styles.list} aria-label="Operations">
        {groups.length === 0 && <EmptyState title="No matches">No operation has these words.</EmptyState>}
        {groups.map(({ tag, title, operations }) => (
          <section key={tag}>
            <h2 className={styles.heading}>{title}</h2>
            <ul>
              {operations.map(({ operationId, method, path, summary }) => (
                <li key={operationId}>
                  <Link
                    to="/docs"
                    search={{ operation: operationId }}
                    activeOptions={{ includeSearch: true }}
                    className={styles.operation}
                    title={`${method} ${path}`}
                  >
                    <Method method={method} />
                    <span className={styles.summary}>{summary}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}
