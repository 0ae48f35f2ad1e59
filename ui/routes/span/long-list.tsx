import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#ui/components/button.tsx';
import { classNames } from '#ui/lib/class-names.ts';
import { formatExact } from '#ui/lib/format.ts';
import styles from './long-list.module.css';
import { extendInto, firstRanges, reveal } from './model/shown-ranges.ts';

/** See {@link LongList}. */
export interface LongListProps<Item> {
  readonly items: readonly Item[];
  /** What they are, in the plural: `messages`. */
  readonly noun: string;
  readonly keyOf: (item: Item, index: number) => string | number;
  readonly children: (item: Item, index: number) => ReactNode;
  /** One that must be in sight: it is scrolled to when it changes. */
  readonly wanted?: number | undefined;
  readonly className?: string | undefined;
  readonly itemClassName?: string | undefined;
}

/** How it came about, and where it ended. */
const FIRST_LOOK = { head: 50, tail: 150 };
const STEP = 100;
/** Shown around one that is wanted. */
const AROUND = 10;

/** A list of which the middle is left out until somebody asks for it. */
export function LongList<Item>(props: LongListProps<Item>) {
  const { items, noun, keyOf, children, wanted, className, itemClassName } = props;
  const list = useRef<HTMLOListElement>(null);
  const first = useMemo(() => firstRanges(items.length, FIRST_LOOK), [items.length]);
  const [opened, setOpened] = useState({ first, ranges: first });
  const kept = opened.first === first ? opened.ranges : first;
  const ranges = wanted === undefined ? kept : reveal(kept, wanted, AROUND, items.length);
  if (ranges !== opened.ranges) setOpened({ first, ranges });

  useEffect(() => {
    if (wanted !== undefined) itemAt(wanted)?.scrollIntoView({ block: 'center' });
  }, [wanted]);

  function itemAt(index: number): HTMLElement | null {
    return list.current?.querySelector<HTMLElement>(`:scope > [data-index="${index}"]`) ?? null;
  }

  function open(place: number, side: 'start' | 'end'): void {
    const gap = { start: ranges[place]?.end ?? 0, end: ranges[place + 1]?.start ?? 0 };
    flushSync(() => setOpened({ first, ranges: extendInto(ranges, place, side, STEP) }));
    // Where one read, not at the button, which may be gone.
    itemAt(side === 'start' ? gap.start : gap.end - 1)?.focus();
  }

  const isCut = ranges.length > 1;
  return (
    <ol
      ref={list}
      className={classNames(styles.list, className)}
      data-long={items.length > FIRST_LOOK.head || undefined}
    >
      {ranges.flatMap(({ start, end }, place) => {
        const behind = ranges[place + 1];
        const shown = items.slice(start, end).map((item, offset) => (
          <li
            key={keyOf(item, start + offset)}
            className={classNames(styles.item, itemClassName)}
            data-index={start + offset}
            tabIndex={-1}
            {...(isCut && { 'aria-setsize': items.length, 'aria-posinset': start + offset + 1 })}
          >
            {children(item, start + offset)}
          </li>
        ));
        if (behind === undefined) return shown;
        const count = behind.start - end;
        return [
          ...shown,
          <li key={`gap ${place}`} className={styles.gap}>
            {count <= STEP ? (
              <Button size="sm" onPress={() => open(place, 'start')}>
                Show {formatExact(count)} hidden {noun}
              </Button>
            ) : (
              <>
                <span>
                  {formatExact(count)} hidden {noun}
                </span>
                <Button size="sm" onPress={() => open(place, 'start')}>
                  Show the next {STEP}
                </Button>
                <Button size="sm" onPress={() => open(place, 'end')}>
                  Show the last {STEP}
                </Button>
              </>
            )}
          </li>,
        ];
      })}
    </ol>
  );
}
