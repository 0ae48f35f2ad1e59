import type { FrameMaker } from '#store/spans/frame-maker';
import { JsonFrameWriter } from './frame-writer.ts';

/** Data frames of spans, as pandas reads them. */
export const FRAME_MAKER: FrameMaker = {
  open: (query, columns) => new JsonFrameWriter(query, columns),
  // Few clients ask for it, and every reader would have to load it.
  encodeArrow: async (frame) => (await import('./arrow.ts')).encodeArrow(frame),
};
