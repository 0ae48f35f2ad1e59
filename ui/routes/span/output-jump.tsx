import { ArrowDown, ArrowUp } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import styles from './output-jump.module.css';

/** See {@link OutputJump}. */
export interface OutputJumpProps {
  /** What shows the output; null while it is folded away. */
  readonly target: HTMLElement | null;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly onJump: () => void;
}

/** A button at the lower edge that leads to the output while that is out of sight. */
export function OutputJump({ target, scroller, onJump }: OutputJumpProps) {
  const side = useSide(target, scroller);
  if (side === 'in sight') return null;
  return (
    <div className={styles.place}>
      <Button size="sm" icon={side === 'above' ? ArrowUp : ArrowDown} className={styles.jump} onPress={onJump}>
        Output <Kbd keys="o" />
      </Button>
    </div>
  );
}

type Side = 'above' | 'in sight' | 'below';

/** Where the target is as seen from what the scroller shows. */
function useSide(target: HTMLElement | null, scroller: RefObject<HTMLElement | null>): Side {
  const [side, setSide] = useState<Side>('in sight');
  useEffect(() => {
    if (target === null || scroller.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry === undefined) return;
        const top = entry.rootBounds?.top ?? 0;
        setSide(entry.isIntersecting ? 'in sight' : entry.boundingClientRect.top < top ? 'above' : 'below');
      },
      { root: scroller.current },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [target, scroller]);
  return target === null ? 'in sight' : side;
}
