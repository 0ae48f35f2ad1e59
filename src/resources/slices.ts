/** Every resource that is declared as a slice. A resource is added by a line here. */
import { agreementSlice } from './agreement/slice.ts';
import { annotationConfigSlice } from './annotation-configs/slice.ts';
import { annotationQueueSlice } from './annotation-queues/slice.ts';
import { annotationSlice } from './annotations/slice.ts';
import { apiKeySlice } from './api-keys/slice.ts';
import { auditSlice } from './audit/slice.ts';
import { bulkSlice } from './bulk/slice.ts';
import { modelSlice } from './models/slice.ts';
import { oauth2Slice } from './oauth2/slice.ts';
import { passwordResetSlice } from './password-reset/slice.ts';
import { projectSlice } from './projects/slice.ts';
import { providerSignInSlice } from './provider-sign-in/slice.ts';
import { retentionSlice } from './retention/slice.ts';
import { savedViewSlice } from './saved-views/slice.ts';
import { secretSlice } from './secrets/slice.ts';
import { signInSlice } from './sign-in/slice.ts';
import type { Slice } from './slice.ts';
import { storageSlice } from './storage/slice.ts';
import { userSlice } from './users/slice.ts';

/** In the order in which their types are added to the schema. */
export const SLICES: readonly Slice[] = [
  projectSlice,
  retentionSlice,
  modelSlice,
  bulkSlice,
  savedViewSlice,
  userSlice,
  apiKeySlice,
  signInSlice,
  providerSignInSlice,
  oauth2Slice,
  secretSlice,
  auditSlice,
  passwordResetSlice,
  annotationSlice,
  agreementSlice,
  annotationConfigSlice,
  annotationQueueSlice,
  storageSlice,
];
