import type { ViewContent, ViewTable } from '#domain/saved-view';
import { Button } from '#ui/components/button.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { ViewActions } from './view-actions.tsx';
import type { ViewItem } from './view-data.ts';
import type { ViewWindow } from './view-dialog.tsx';
import { ViewList } from './view-list.tsx';
import type { ViewPart } from './view-state.ts';
import styles from './views.module.css';

/** See {@link ViewPanel}. */
export interface ViewPanelProps {
  readonly table: ViewTable;
  /** Undefined until they are known. */
  readonly views: readonly ViewItem[] | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** The view that the table shows. */
  readonly shown: ViewItem | undefined;
  /** What of the table is not as in that view. */
  readonly changed: readonly ViewPart[];
  /** The table as it is now. */
  readonly content: ViewContent;
  readonly onWindow: (window: ViewWindow) => void;
  readonly onClose: () => void;
}

/** All views of a table, and what can be done with the one that it shows. */
export function ViewPanel(props: ViewPanelProps) {
  const { views, error, onRetry } = props;
  return (
    <>
      {views === undefined && error !== undefined ? (
        <div role="alert" className={styles.failed}>
          The views could not be loaded. {describeError(error)}
          <Button size="sm" onPress={onRetry}>
            Try again
          </Button>
        </div>
      ) : (
        <ViewList {...props} views={views} />
      )}
      <ViewActions {...props} />
    </>
  );
}
