import type { ReactElement, ReactNode } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

/** See {@link Tooltip}. */
export interface TooltipProps {
  readonly content: ReactNode;
  /** Written after the content: `mod+K`. */
  readonly shortcut?: string | undefined;
  /** One button of the library, or of ours. */
  readonly children: ReactElement;
}

/** Explains an element while it is pointed at or focused. What it says must not be the only place that says it. */
export function Tooltip({ content, shortcut, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip className={styles.tooltip} offset={6}>
        {content}
        {shortcut !== undefined && <Kbd keys={shortcut} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
