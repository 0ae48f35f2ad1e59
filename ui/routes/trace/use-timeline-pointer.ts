import { type RefObject, useEffect, useEffectEvent } from 'react';

/** A notch of a wheel, in the pixels that browsers report. */
const WHEEL_NOTCH_PX = 240;
/** A step of zooming by key or button. */
export const ZOOM_STEP = 0.6;
/** A pointer that moves less is a click. */
const DRAG_PX = 4;

/** What pointers do on the timeline; shares are of the axis' width. */
export interface TimelineGestures {
  readonly onZoom: (factor: number, atShare: number) => void;
  readonly onPan: (byShare: number) => void;
}

/** Ctrl or ⌘ with the wheel zooms at the pointer; the wheel sideways and dragging pan. */
export function useTimelinePointer(
  frame: RefObject<HTMLElement | null>,
  axis: RefObject<HTMLElement | null>,
  gestures: TimelineGestures,
): void {
  const zoom = useEffectEvent((factor: number, atShare: number) => gestures.onZoom(factor, atShare));
  const pan = useEffectEvent((byShare: number) => gestures.onPan(byShare));

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const scope = new AbortController();
    const { signal } = scope;

    function shareAt(clientX: number): number | undefined {
      const box = axis.current?.getBoundingClientRect();
      if (box === undefined || clientX < box.left || clientX > box.right || box.width === 0) return undefined;
      return (clientX - box.left) / box.width;
    }

    function onWheel(event: WheelEvent): void {
      const share = shareAt(event.clientX);
      if (share === undefined) return;
      if (event.ctrlKey || event.metaKey) zoom(2 ** (event.deltaY / WHEEL_NOTCH_PX), share);
      else if (event.deltaX !== 0) pan(event.deltaX / (axis.current?.clientWidth ?? 1));
      else return;
      event.preventDefault();
    }

    function onPointerDown(event: PointerEvent): void {
      if (event.button !== 0 || event.pointerType === 'touch' || shareAt(event.clientX) === undefined) return;
      if (event.target instanceof Element && event.target.closest('[data-overview]') !== null) return;
      let lastX = event.clientX;
      let isDragging = false;
      const drag = new AbortController();
      const listening = { signal: AbortSignal.any([signal, drag.signal]) };
      window.addEventListener(
        'pointermove',
        ({ clientX }) => {
          if (!isDragging && Math.abs(clientX - lastX) < DRAG_PX) return;
          isDragging = true;
          pan((lastX - clientX) / (axis.current?.clientWidth ?? 1));
          lastX = clientX;
        },
        listening,
      );
      window.addEventListener('pointerup', () => drag.abort(), listening);
      window.addEventListener('pointercancel', () => drag.abort(), listening);
      // What was dragged is not chosen by letting go of it.
      window.addEventListener(
        'click',
        (click) => {
          if (isDragging) click.stopPropagation();
        },
        { signal, capture: true, once: true },
      );
    }

    element.addEventListener('wheel', onWheel, { signal, passive: false });
    element.addEventListener('pointerdown', onPointerDown, { signal });
    return () => scope.abort();
  }, [frame, axis]);
}
