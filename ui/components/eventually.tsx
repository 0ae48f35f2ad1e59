import { type ReactNode, useDeferredValue } from 'react';

/** See {@link Eventually}. */
export interface EventuallyProps {
  /** Stands in the place until the children can be drawn. */
  readonly placeholder?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Draws its children in the background. What waits for data when it is first drawn appears as soon as it can; if it showed the
 * fallback of a `Suspense` first, React would keep that for 300 ms, however soon the data came.
 */
export function Eventually({ placeholder = null, children }: EventuallyProps) {
  const isBegun = useDeferredValue(true, false);
  return isBegun ? children : placeholder;
}
