import { useNavigate } from '@tanstack/react-router';
import { Button } from '#ui/components/button.tsx';
import { objectionOf } from '#ui/lib/server-error.ts';
import { narrowTimeRange } from '#ui/lib/time-range.ts';
import { formatTimeRangeInSentence } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useListContext } from '../list-context.ts';
import { useProjectView } from '../project-view.ts';

/** What makes a list answerable that the server has no answer for: what is asked at all, of how much, in which order. */
export function WaysOn({ refusal, size = 'md' }: { readonly refusal: unknown; readonly size?: 'sm' | 'md' }) {
  const { sort, filter } = useListContext();
  const { range, setRange } = useProjectView();
  const zone = useTimeZone();
  const navigate = useNavigate();
  const isTooMuch = objectionOf(refusal) === 'too much';
  const narrower = isTooMuch ? narrowTimeRange(range) : undefined;
  return (
    <>
      {isTooMuch && sort.column !== 'start' && (
        <Button
          size={size}
          onPress={() => void navigate({ to: '.', search: (before) => ({ ...before, sort: undefined }) })}
        >
          Sort by start time
        </Button>
      )}
      {narrower !== undefined && (
        <Button size={size} onPress={() => setRange(narrower)}>
          Show {formatTimeRangeInSentence(narrower, zone)}
        </Button>
      )}
      {filter !== null && (
        <Button
          size={size}
          onPress={() => void navigate({ to: '.', search: (before) => ({ ...before, filter: undefined }) })}
        >
          Clear the filter
        </Button>
      )}
    </>
  );
}
