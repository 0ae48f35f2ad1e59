import { useLayoutEffect } from 'react';
import { useProjectView } from './project-view.ts';

/** Stands in a region of a project that is not there, and gives its place to the page that says so. */
export function MissingProject() {
  const { reportMissing } = useProjectView();
  useLayoutEffect(() => reportMissing(), [reportMissing]);
  return null;
}
