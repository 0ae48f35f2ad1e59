import { useEffect, useRef, useState } from 'react';

const SETTLE_MS = 100;
/** Keys that are held down repeat faster than this. */
const LONE_MS = 300;

/** A value once it has stood for a moment; at once where it comes alone, not as one of many in a row. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const changedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (Object.is(value, settled)) return undefined;
    const isAlone = performance.now() - changedAtMs.current > LONE_MS;
    changedAtMs.current = performance.now();
    const timer = setTimeout(() => setSettled(value), isAlone ? 0 : SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
