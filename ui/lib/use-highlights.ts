import { type RefObject, useEffect } from 'react';

/** In how many places a text is marked at most. */
const MAX_MARKS = 2000;
/** Its looks are in the global styles. */
const NAME = 'found';

/**
 * Marks a text wherever it stands within elements that have `data-searched`, in any letter case, also in those that come
 * later. The elements are left as they are, so it reaches into whatever draws them; browsers without highlights mark nothing.
 */
export function useHighlights(container: RefObject<HTMLElement | null>, text: string): void {
  const wanted = text.trim().toLowerCase();
  useEffect(() => {
    const root = container.current;
    if (root === null || wanted === '' || typeof Highlight === 'undefined') return undefined;
    let own: readonly Range[] = [];
    let frame = 0;
    const clear = () => {
      for (const range of own) found().delete(range);
    };
    const paint = () => {
      clear();
      own = findRanges(root, wanted);
      for (const range of own) found().add(range);
    };
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(paint);
    });
    paint();
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      clear();
    };
  }, [container, wanted]);
}

/** One for all places that search. */
function found(): Highlight {
  const known = CSS.highlights.get(NAME);
  if (known !== undefined) return known;
  const created = new Highlight();
  CSS.highlights.set(NAME, created);
  return created;
}

function findRanges(root: HTMLElement, wanted: string): readonly Range[] {
  const ranges: Range[] = [];
  for (const place of root.querySelectorAll('[data-searched]')) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      const lower = text.toLowerCase();
      // Some letters change their length with their case: then no place can be told.
      if (lower.length !== text.length) continue;
      for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        ranges.push(range);
        if (ranges.length === MAX_MARKS) return ranges;
      }
    }
  }
  return ranges;
}
