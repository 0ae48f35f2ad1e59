import { useEffect, useState } from 'react';

const TICK_MS = 2000;

/** Another number every two seconds while it is on and somebody looks. */
export function useTicks(isOn: boolean): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => document.hidden || setCount((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return count;
}
