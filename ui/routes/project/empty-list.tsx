import { useNavigate } from '@tanstack/react-router';
import { CalendarSearch, Filter } from 'lucide-react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { type TimeRange, widenTimeRange } from '#ui/lib/time-range.ts';
import { formatTimeRange, formatTimeRangeInSentence } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { UnknownAttributesNote } from './filter/unknown-attributes-note.tsx';
import { useListContext } from './list-context.ts';
import { useProjectView } from './project-view.ts';

/** Stands where a table has no rows: says why, and what would bring some. */
export function EmptyList({ isPartial }: { readonly isPartial: boolean }) {
  const { range } = useProjectView();
  const { name, noun, filter } = useListContext();
  const zone = useTimeZone();
  const navigate = useNavigate();
  const wider = widenTimeRange(range);
  if (filter !== null) {
    return (
      <EmptyState
        icon={Filter}
        title={isPartial ? `No ${noun} match so far` : `No ${noun} match`}
        action={
          <>
            <Button
              variant="primary"
              onPress={() => void navigate({ to: '.', search: (before) => ({ ...before, filter: undefined }) })}
            >
              Clear the filter
            </Button>
            {wider !== undefined && <Widen range={wider} zone={zone} />}
          </>
        }
      >
        {isPartial
          ? 'Only part of the time range was searched.'
          : `Nothing in ${formatTimeRangeInSentence(range, zone)} matches the filter.`}
        {name === 'spans' && <UnknownAttributesNote filter={filter} />}
      </EmptyState>
    );
  }
  if (wider === undefined) {
    return (
      <EmptyState icon={CalendarSearch} title={`No ${noun} yet`}>
        They appear here as soon as they arrive.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={CalendarSearch}
      title={`No ${noun} in this time range`}
      action={<Widen range={wider} zone={zone} isFirst />}
    >
      Time range: {formatTimeRange(range, zone)}. Try a wider one.
    </EmptyState>
  );
}

function Widen(props: { readonly range: TimeRange; readonly zone: string; readonly isFirst?: boolean }) {
  const { setRange } = useProjectView();
  return (
    <Button variant={props.isFirst === true ? 'primary' : 'secondary'} onPress={() => setRange(props.range)}>
      Show {formatTimeRangeInSentence(props.range, props.zone)}
    </Button>
  );
}
