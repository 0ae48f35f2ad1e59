import { Copy, Ellipsis, PenLine, Trash2 } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { type ActedPrice, useModelTools } from './model-tools.ts';

/** What can be done with a price; nothing for those who may change none. */
export function ModelMenu({ price }: { readonly price: ActedPrice }) {
  const { start } = useModelTools();
  if (start === undefined) return null;
  const isOwn = price.kind === 'CUSTOM';
  return (
    <MenuTrigger>
      <IconButton icon={Ellipsis} size="sm" label={`Actions for ${revealHidden(price.name)}`} />
      <Menu label="Model" placement="bottom end">
        {isOwn && (
          <MenuItem icon={PenLine} onAction={() => start('edit', price)}>
            Edit…
          </MenuItem>
        )}
        <MenuItem icon={Copy} onAction={() => start('clone', price)}>
          Clone…
        </MenuItem>
        {isOwn && (
          <MenuItem icon={Trash2} onAction={() => start('delete', price)}>
            Delete…
          </MenuItem>
        )}
      </Menu>
    </MenuTrigger>
  );
}
