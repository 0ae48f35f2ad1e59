import { ChevronDown, ChevronUp, Maximize2, Minimize2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '#ui/components/button.tsx';
import { TooltipPlacement } from '#ui/components/tooltip.tsx';
import { useCover } from './cover.ts';
import styles from './panel-bar.module.css';
import { usePeek } from './peek-context.ts';

/** See {@link PanelBar}. */
export interface PanelBarProps {
  /** What is shown; undefined while it is read. */
  readonly title: string | undefined;
  /** The title as the bar shows it, with a mark before it. */
  readonly children: ReactNode;
  /** What can be done with what is shown. */
  readonly actions: ReactNode;
}

/**
 * The title of what is open beside a list, with its actions and the way out. Where it covers the list, all of that is in
 * the header of the page: the breadcrumbs lead back then.
 */
export function PanelBar({ title, children, actions }: PanelBarProps) {
  const { close, expand, step, isFull } = usePeek();
  const place = useCover(isFull, title);
  if (place === undefined) {
    return (
      <div className={styles.bar}>
        {children}
        <div className={styles.actions}>
          {actions}
          {expand !== undefined && (
            <IconButton icon={Maximize2} size="sm" label="Show as a full page" shortcut="z" onPress={expand} />
          )}
          <IconButton icon={X} size="sm" label="Close" shortcut="Escape" onPress={close} />
        </div>
      </div>
    );
  }
  if (place === null) return null;
  return createPortal(
    <TooltipPlacement value="bottom">
      <IconButton icon={ChevronUp} label="Previous" shortcut="k" size="sm" onPress={() => step(-1)} />
      <IconButton icon={ChevronDown} label="Next" shortcut="j" size="sm" onPress={() => step(1)} />
      <span className={styles.gap} />
      {actions}
      {expand !== undefined && (
        <IconButton icon={Minimize2} size="sm" label="Show beside the table" shortcut="z" onPress={expand} />
      )}
    </TooltipPlacement>,
    place,
  );
}
