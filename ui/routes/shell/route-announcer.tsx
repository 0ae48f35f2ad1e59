import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';

/** Pages set their title while they are drawn, data first; by then it has settled. */
const TITLE_SETTLES_MS = 300;

/**
 * Says which page is shown after the address changed, and moves the focus into it, unless it is there already: a panel
 * that opens beside a list leaves the focus in the list.
 */
export function RouteAnnouncer({ main }: { readonly main: RefObject<HTMLElement | null> }) {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const [text, setText] = useState('');
  const shownPath = useRef(path);
  useEffect(() => {
    const isFirst = shownPath.current === undefined;
    if (path === shownPath.current) return undefined;
    shownPath.current = path;
    if (isFirst) return undefined;
    const timer = setTimeout(() => {
      setText(document.title);
      const { activeElement } = document;
      const isElsewhere = activeElement === document.body || activeElement?.closest('main, [role=dialog]') === null;
      if (isElsewhere) main.current?.focus({ preventScroll: true });
    }, TITLE_SETTLES_MS);
    return () => clearTimeout(timer);
  }, [path, main]);
  return (
    <VisuallyHidden>
      <span aria-live="assertive" data-route-announcer>
        {text}
      </span>
    </VisuallyHidden>
  );
}
