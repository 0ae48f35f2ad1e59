import { useMemo } from 'react';
import { useProjectView } from '../project-view.ts';
import { doubtfulPaths, unknownAttributes } from './unknown-attributes.ts';
import { OBSERVED_PATHS, useObserved } from './use-observed.ts';

/** Says which attributes of a filter of spans are none that spans have; nothing where that is not known. */
export function UnknownAttributesNote({ filter }: { readonly filter: string }) {
  const { projectId } = useProjectView();
  const doubtful = useMemo(() => doubtfulPaths(filter), [filter]);
  const [{ attributePaths: observed = [] }] = useObserved(projectId, doubtful.length > 0);
  // Without any there is no answer, and with so many there are more.
  if (observed.length === 0 || observed.length >= OBSERVED_PATHS) return null;
  return unknownAttributes(doubtful, observed).map(({ written, meant }) => (
    <p key={written}>
      No recent span has <code>{written}</code>
      {meant === undefined ? (
        '.'
      ) : (
        <>
          . Did you mean <code>{meant}</code>?
        </>
      )}
    </p>
  ));
}
