import { Button } from '#ui/components/button.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { ViewActions, type ViewActionsProps } from './view-actions.tsx';
import type { ViewItem } from './view-data.ts';
import { ViewList } from './view-list.tsx';
import styles from './views.module.css';

/** See {@link ViewPanel}. */
export interface ViewPanelProps extends ViewActionsProps {
  /** Undefined until they are known. */
  readonly views: readonly ViewItem[] | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
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
