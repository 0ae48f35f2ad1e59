import { ChevronRight, Copy, Route } from 'lucide-react';
import { JsonNumber, type JsonValue } from '#base/json';
import { classNames } from '#ui/lib/class-names.ts';
import { formatBytes } from '#ui/lib/format.ts';
import { splitMatches } from '../long-text/find-matches.ts';
import { previewJson } from './json-preview.ts';
import { isContainer, type JsonRow, linesBelow, MAX_ROW_LINES } from './json-rows.ts';
import styles from './json-view.module.css';

/** See {@link JsonRowView}. */
export interface JsonRowViewProps {
  readonly id: string;
  readonly row: JsonRow;
  /** Pixels from the beginning of the tree. */
  readonly top: number;
  readonly height: number;
  readonly query: string;
  readonly isActive: boolean;
  readonly onPress: () => void;
  readonly onCopyValue: () => void;
  readonly onCopyPath: () => void;
}

/** One row of a tree of JSON. */
export function JsonRowView({
  id,
  row,
  top,
  height,
  query,
  isActive,
  onPress,
  onCopyValue,
  onCopyPath,
}: JsonRowViewProps) {
  const canOpen = isContainer(row.value);
  const lines = linesBelow(row);
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- The tree around it has the focus and the keys.
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isActive}
      {...(canOpen && { 'aria-expanded': row.isOpen })}
      className={styles.row}
      data-lines={lines > 0 || undefined}
      style={{ transform: `translateY(${top}px)`, height, paddingLeft: 4 + Math.min(row.depth, MAX_INDENT) * 14 }}
      onClick={onPress}
    >
      {canOpen ? (
        <ChevronRight size={13} aria-hidden className={styles.chevron} />
      ) : (
        <span className={styles.noChevron} />
      )}
      {row.key !== undefined && (
        <span className={typeof row.key === 'number' ? styles.index : styles.key}>
          <Marked text={String(row.key)} query={typeof row.key === 'number' ? '' : query} />
        </span>
      )}
      {lines > 0 && typeof row.value === 'string' ? (
        <Lines text={row.value} query={query} />
      ) : (
        <Value value={row.value} query={query} isOpen={row.isOpen} />
      )}
      <span className={styles.rowActions}>
        <RowAction icon={Route} label="Copy path" onPress={onCopyPath} />
        <RowAction icon={Copy} label="Copy value" onPress={onCopyValue} />
      </span>
    </div>
  );
}

const MAX_INDENT = 24;
/** Of a text, one line is in the row. */
const MAX_LETTERS = 400;

interface RowActionProps {
  readonly icon: typeof Copy;
  readonly label: string;
  readonly onPress: () => void;
}

/** For the pointer alone: the tree has keys for it. */
function RowAction({ icon: Icon, label, onPress }: RowActionProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      title={label}
      aria-label={label}
      className={styles.rowAction}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}

/** The first lines of a text; a press on the row shows all of it. */
function Lines({ text, query }: { readonly text: string; readonly query: string }) {
  const shown = text
    .slice(0, MAX_ROW_LINES * MAX_LETTERS)
    .split('\n')
    .slice(0, MAX_ROW_LINES);
  const isCut = text.length > shown.join('\n').length + 1;
  return (
    <>
      {isCut && <span className={classNames(styles.hint, styles.cut)}>{formatBytes(text.length)}</span>}
      <span className={styles.lines}>
        {shown.map((line, index) => (
          <span key={index} className={styles.lineOfText}>
            <Marked text={line.slice(0, MAX_LETTERS)} query={query} />
          </span>
        ))}
      </span>
    </>
  );
}

function Value({
  value,
  query,
  isOpen,
}: {
  readonly value: JsonValue;
  readonly query: string;
  readonly isOpen: boolean;
}) {
  if (isContainer(value)) {
    if (!isOpen) return <span className={styles.preview}>{previewJson(value)}</span>;
    return <span className={styles.hint}>{Array.isArray(value) ? `[${value.length}]` : '{}'}</span>;
  }
  if (typeof value === 'string') {
    const dataUrl = /^data:([\w-]+\/[\w.+-]+)[;,]/.exec(value.slice(0, 100));
    if (dataUrl !== null && value.length > MAX_LETTERS) {
      return <span className={styles.hint}>{`${dataUrl[1]} · ${formatBytes((value.length * 3) / 4)}`}</span>;
    }
    const isCut = value.length > MAX_LETTERS;
    return (
      <>
        <span className={styles.text}>
          <Marked text={value.slice(0, MAX_LETTERS)} query={query} />
        </span>
        {isCut && <span className={classNames(styles.hint, styles.cut)}>{formatBytes(value.length)}</span>}
      </>
    );
  }
  return (
    <span className={value === null || typeof value === 'boolean' ? styles.constant : styles.number}>
      <Marked text={value instanceof JsonNumber ? value.text : String(value)} query={query} />
    </span>
  );
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  if (query === '') return text;
  return splitMatches(text, query).map((piece, index) =>
    piece.isMatch ? (
      <mark key={index} className={styles.match}>
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
