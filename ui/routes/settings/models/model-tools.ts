import { createContext, use } from 'react';
import type { AnsweredPrice } from './price-form.ts';

/** What can be done with a price. Those that come with the product can only be cloned. */
export type ModelAction = 'clone' | 'edit' | 'delete';

/** A price that something is done with. */
export interface ActedPrice extends AnsweredPrice {
  readonly id: string;
  readonly kind: string;
}

/** What rows and the panel share with the page. */
export interface ModelTools {
  /** Opens the window of an action; absent for those who may change no prices. */
  readonly start?: ((action: ModelAction, price: ActedPrice) => void) | undefined;
}

export const ModelToolsContext = createContext<ModelTools>({});

/** What the page shares. */
export function useModelTools(): ModelTools {
  return use(ModelToolsContext);
}
