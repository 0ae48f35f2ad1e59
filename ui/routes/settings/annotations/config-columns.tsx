import { Ellipsis, PenLine, Trash2 } from 'lucide-react';
import { Badge } from '#ui/components/badge.tsx';
import { IconButton } from '#ui/components/button.tsx';
import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { Name } from '#ui/components/name.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { describeConfig, kindName } from '../../annotation-configs/shown-config.ts';
import settingsStyles from '../settings.module.css';
import { DIRECTIONS } from './config-directions.ts';
import { type ConfigRow, useConfigTools } from './config-tools.ts';

/** The columns of the table of annotation configs. */
export const CONFIG_COLUMNS: readonly TableColumn<ConfigRow>[] = [
  { id: 'name', header: 'Name', size: 160, grows: true, canHide: false, render: (row) => <ConfigName row={row} /> },
  { id: 'kind', header: 'Type', size: 104, render: ({ kind }) => kindName(kind) },
  { id: 'values', header: 'Values', size: 180, grows: true, render: (row) => <Values row={row} /> },
  {
    id: 'description',
    header: 'Description',
    size: 150,
    grows: true,
    render: ({ description }) => (
      <span className={settingsStyles.muted} title={description === null ? undefined : revealHidden(description)}>
        {description === null ? '' : revealHidden(description)}
      </span>
    ),
  },
  {
    id: 'direction',
    header: 'Better scores',
    size: 112,
    render: ({ direction }) => <span className={settingsStyles.muted}>{DIRECTIONS[direction ?? 'NONE'].short}</span>,
  },
  {
    id: 'projects',
    header: 'Projects',
    size: 80,
    align: 'end',
    render: ({ projectCount }) => <Count value={projectCount} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    size: 72,
    align: 'end',
    canHide: false,
    render: (row) => <ConfigMenu config={row} />,
  },
];

/** A config where there is no room for columns. */
export function renderConfigCard(row: ConfigRow) {
  return (
    <div className={settingsStyles.card}>
      <div className={settingsStyles.cardHead}>
        <ConfigName row={row} />
        <span className={settingsStyles.spring} />
        <ConfigMenu config={row} />
      </div>
      <p className={settingsStyles.cardFacts}>
        <Values row={row} />
      </p>
      <p className={settingsStyles.cardFacts}>
        <span>{kindName(row.kind)}</span>
        <span>{DIRECTIONS[row.direction ?? 'NONE'].label}</span>
        <span>
          {formatExact(row.projectCount)} {nounOf(row.projectCount, 'projects')}
        </span>
      </p>
    </div>
  );
}

function ConfigName({ row: { name, isStrict } }: { readonly row: ConfigRow }) {
  return (
    <>
      <span className={settingsStyles.strong} title={revealHidden(name)}>
        <Name>{name}</Name>
      </span>{' '}
      {isStrict && <Badge>Strict</Badge>}
    </>
  );
}

function Values({ row }: { readonly row: ConfigRow }) {
  const text = revealHidden(describeConfig(row));
  return (
    <span className={settingsStyles.ellipsis} title={text}>
      {text}
    </span>
  );
}

function ConfigMenu({ config }: { readonly config: ConfigRow }) {
  const { start } = useConfigTools();
  if (start === undefined) return null;
  return (
    <MenuTrigger>
      <IconButton icon={Ellipsis} size="sm" label={`Actions for ${revealHidden(config.name)}`} />
      <Menu label="Annotation config" placement="bottom end">
        <MenuItem icon={PenLine} onAction={() => start('edit', config)}>
          Edit…
        </MenuItem>
        <MenuItem icon={Trash2} onAction={() => start('delete', config)}>
          Delete…
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}
