import { type ComponentType, lazy, useState } from 'react';

/** A component that is fetched apart from the page. */
export interface Preloadable<P> {
  /** Fetches it ahead. */
  readonly preload: () => void;
  /** Waits while it is fetched; drawn at once where it is there, which `lazy` alone never is: it waits in any case. */
  readonly Component: ComponentType<P>;
}

/** Fetches a component when it is first drawn, or ahead. */
export function preloadable<P extends object>(load: () => Promise<ComponentType<P>>): Preloadable<P> {
  let loaded: ComponentType<P> | undefined;
  const Waiting = lazy(async () => ({ default: await load() }));
  return {
    preload: () => {
      load().then(
        (component) => {
          loaded = component;
        },
        // It is fetched again when it is drawn, and then the failure shows.
        () => undefined,
      );
    },
    Component: function PreloadableComponent(props) {
      // The same one while it is mounted: another would start from scratch.
      const [Chosen] = useState(() => loaded ?? Waiting);
      return <Chosen {...props} />;
    },
  };
}
