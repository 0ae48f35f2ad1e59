import { useEffect, useEffectEvent } from 'react';

/**
 * Renews a hold while somebody works on the page: an item that nobody looks at any more goes to the next person in time.
 * @param holdMinutes how long a hold lasts; undefined while nothing is held
 */
export function useHoldRenewal(holdMinutes: number | undefined, renew: () => void): void {
  const onRenew = useEffectEvent(renew);
  useEffect(() => {
    if (holdMinutes === undefined) return undefined;
    let isActive = false;
    const note = () => {
      isActive = true;
    };
    const timer = setInterval(
      () => {
        if (isActive) onRenew();
        isActive = false;
      },
      (holdMinutes * 60_000) / 3,
    );
    for (const event of ACTIVITIES) window.addEventListener(event, note, { passive: true });
    return () => {
      clearInterval(timer);
      for (const event of ACTIVITIES) window.removeEventListener(event, note);
    };
  }, [holdMinutes]);
}

const ACTIVITIES = ['keydown', 'pointerdown', 'wheel'] as const;
