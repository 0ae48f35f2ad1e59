import type { FrameMaker } from './frame-maker.ts';

/** For stores in tests that make no data frames, which belong to a folder above. */
export const NO_FRAMES: FrameMaker = {
  open: () => {
    throw new Error('no frames are made here');
  },
  encodeArrow: async () => new Uint8Array(0),
};
