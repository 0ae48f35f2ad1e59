import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { Tooltip as AriaTooltip, TooltipTrigger, TooltipTriggerStateContext } from 'react-aria-components/Tooltip';
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

/** On which side of their element tooltips stand, where there is room: not where they would cover what is pressed next. */
export const TooltipPlacement = createContext<'top' | 'bottom' | 'left'>('top');

/** Explains an element while it is pointed at or focused. What it says must not be the only place that says it. */
export function Tooltip({ content, shortcut, children }: TooltipProps) {
  const placement = useContext(TooltipPlacement);
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip className={styles.tooltip} offset={6} placement={placement}>
        {content}
        {shortcut !== undefined && <Kbd keys={shortcut} />}
        <ClosingOnEscape />
      </AriaTooltip>
    </TooltipTrigger>
  );
}

/**
 * Takes the tooltip away on Escape before the library does, which would keep the key to itself: nobody presses Escape for
 * a tooltip alone, so the same press closes the panel or window too.
 */
function ClosingOnEscape() {
  const state = useContext(TooltipTriggerStateContext);
  const close = useEffectEvent(() => state?.close(true));
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      // At once: the library listens further in as long as the tooltip is there.
      if (key === 'Escape') flushSync(() => close());
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
  return null;
}
