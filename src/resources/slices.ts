/** Every resource that is declared as a slice. A resource is added by a line here. */
import { modelSlice } from './models/slice.ts';
import { projectSlice } from './projects/slice.ts';
import { retentionSlice } from './retention/slice.ts';
import type { Slice } from './slice.ts';

/** In the order in which their types are added to the schema. */
export const SLICES: readonly Slice[] = [projectSlice, retentionSlice, modelSlice];
