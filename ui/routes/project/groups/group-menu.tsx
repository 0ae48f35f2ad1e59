import { useNavigate } from '@tanstack/react-router';
import { Group } from 'lucide-react';
import { Button } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { type Grouping, GROUPINGS } from './groupings.ts';

const NONE = 'none';

/** Chooses by what the rows of a table are grouped. */
export function GroupMenu(props: { readonly grain: 'span' | 'trace'; readonly grouping: Grouping | undefined }) {
  const { grain, grouping } = props;
  const navigate = useNavigate();
  return (
    <MenuTrigger>
      <Button variant="ghost" icon={Group}>
        {grouping === undefined ? 'Group' : `By ${grouping.label.toLowerCase()}`}
      </Button>
      <Menu
        label="Group by"
        selectionMode="single"
        selectedKeys={[grouping?.id ?? NONE]}
        placement="bottom end"
        onAction={(key) => {
          const group = GROUPINGS[grain].find(({ id }) => id === key)?.id;
          // Rows and groups have orders of their own.
          void navigate({ to: '.', search: (before) => ({ ...before, group, sort: undefined }) });
        }}
      >
        <MenuItem id={NONE}>No grouping</MenuItem>
        {GROUPINGS[grain].map(({ id, label }) => (
          <MenuItem key={id} id={id}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}
