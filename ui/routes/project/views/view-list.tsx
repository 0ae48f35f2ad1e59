import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRelayEnvironment } from 'react-relay';
import type { ViewTable } from '#domain/saved-view';
import { SearchList } from '#ui/components/search-list/search-list.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { NO_VIEW, useOpenView } from './open-view.ts';
import { listViewGroups } from './listed-views.ts';
import { readContent, type ViewItem } from './view-data.ts';
import styles from './views.module.css';

interface ViewListProps {
  readonly table: ViewTable;
  readonly views: readonly ViewItem[] | undefined;
  readonly shown: ViewItem | undefined;
  readonly onClose: () => void;
}

/** Finds a view by a part of its name and opens it. */
export function ViewList({ table, views, shown, onClose }: ViewListProps) {
  const [text, setText] = useState('');
  const choose = useChoice(table, views ?? [], onClose);
  return (
    <SearchList
      noun="views"
      text={text}
      onText={setText}
      groups={listViewGroups(views ?? [], { text, shown })}
      isLoading={views === undefined}
      empty={
        text.trim() === ''
          ? 'There are no views yet. Save the filter, time range and columns of this table under a name to come back to them.'
          : 'No view name contains this.'
      }
      detail={({ detail }) => detail !== '' && <span className={styles.detail}>{detail}</span>}
      onChoose={choose}
      className={styles.results}
    />
  );
}

/** Opens a view, or the table without one. */
function useChoice(table: ViewTable, views: readonly ViewItem[], onClose: () => void): (id: string) => void {
  const environment = useRelayEnvironment();
  const navigate = useNavigate();
  const open = useOpenView();
  return (id) => {
    onClose();
    if (id === NO_VIEW) {
      const hasDefault = views.some(({ isOwnDefault, isSharedDefault }) => isOwnDefault || isSharedDefault);
      void navigate({
        to: '.',
        // A bare address would open the default view.
        search: ({ range, start, end }) => ({ range, start, end, saved: hasDefault ? NO_VIEW : undefined }),
      });
      return;
    }
    const fail = (description: string) =>
      showToast({ tone: 'danger', title: 'The view could not be opened', description });
    readContent(environment, id)
      .then((content) => {
        if (content === null) fail('Somebody has deleted it, or made it personal.');
        else open({ id, table }, content);
      })
      .catch((error: unknown) => fail(describeError(error)));
  };
}
