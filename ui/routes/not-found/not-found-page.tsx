import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';

/** What an address shows that nothing answers to. */
export function NotFoundPage() {
  return <NotFound title="Page not found">The address may be mistyped, or the page’s subject was deleted.</NotFound>;
}

/** See {@link NotFound}. */
export interface NotFoundProps {
  /** What was looked for: `No trace has this id`. */
  readonly title: string;
  readonly children: ReactNode;
}

/** What stands in the place of an object that is not here. */
export function NotFound({ title, children }: NotFoundProps) {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState icon={MapPinOff} title={title} action={<Link to="/projects">See all projects</Link>}>
        {children}
      </EmptyState>
    </>
  );
}
