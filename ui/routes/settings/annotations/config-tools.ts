import { createContext, use } from 'react';
import type { ShownConfig } from '../../annotation-configs/shown-config.ts';

/** What can be done with an annotation config. */
export type ConfigAction = 'edit' | 'delete';

/** A row of the table of annotation configs. */
export type ConfigRow = ShownConfig & {
  /** How many projects offer it. */
  readonly projectCount: number;
};

/** What rows share with the page. */
export interface ConfigTools {
  /** Opens the window of an action; absent for those who may change no configs. */
  readonly start?: ((action: ConfigAction, config: ConfigRow) => void) | undefined;
}

export const ConfigToolsContext = createContext<ConfigTools>({});

/** What the page shares. */
export function useConfigTools(): ConfigTools {
  return use(ConfigToolsContext);
}
