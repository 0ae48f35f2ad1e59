import { type RefObject, useEffect, useRef } from 'react';

/**
 * Has what GraphiQL draws, also later, say to everybody what it is; put the reference on what stands around it. Its tabs hold
 * buttons, which tabs must not, and its editors scroll out of reach of the keyboard.
 */
export function useLabels(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const label = () => labelParts(element);
    label();
    const observer = new MutationObserver(label);
    observer.observe(element, {
      subtree: true,
      childList: true,
      attributeFilter: ['aria-selected', 'role', 'tabindex'],
    });
    return () => observer.disconnect();
  }, []);
  return place;
}

/** By the parts that have an editor. */
const EDITORS: Readonly<Record<string, string>> = {
  '.graphiql-query-editor': 'Operation',
  '.result-window': 'Result',
  '.graphiql-editor-tool .graphiql-editor:nth-child(1)': 'Variables',
  '.graphiql-editor-tool .graphiql-editor:nth-child(2)': 'Headers',
};

function labelParts(element: HTMLElement): void {
  for (const [part, label] of Object.entries(EDITORS)) {
    set(element.querySelector(`${part} .CodeMirror textarea`), 'aria-label', label);
    set(element.querySelector(`${part} .CodeMirror-scroll`), 'tabindex', '0');
  }
  // The key that it names opens the palette here.
  set(element.querySelector('.graphiql-doc-explorer-search-input input'), 'placeholder', 'Find a type');
  // An operation stands in each: a list of them, one of which is shown.
  for (const tab of element.querySelectorAll('.graphiql-tab')) {
    set(tab.parentElement, 'role', 'list');
    set(tab, 'role', 'listitem');
    const isShown = tab.classList.contains('graphiql-tab-active');
    set(tab.querySelector('.graphiql-tab-button'), 'aria-current', String(isShown));
    tab.removeAttribute('aria-selected');
  }
}

/** Where it is so already nothing changes, so that what watches for changes comes to rest. */
function set(element: Element | null, name: string, value: string): void {
  if (element !== null && element.getAttribute(name) !== value) element.setAttribute(name, value);
}
