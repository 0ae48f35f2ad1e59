import { Fragment, type ReactNode, useState } from 'react';
import { Equal } from 'lucide-react';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { Name } from '#ui/components/name.tsx';
import { Card } from '#ui/components/panel.tsx';
import { TextDiff } from '#ui/components/text-diff/text-diff.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { describeEqual, type UnitPair } from './model/content-units.ts';
import { isSame, type PairSection, type PairSections as Sections, type SettingPair } from './model/pair-sections.ts';
import styles from './pair-sections.module.css';
import { SideMark } from './side-mark.tsx';

/** See {@link PairSections}. */
export interface PairSectionsProps {
  readonly sections: Sections;
  /** Whether both sides have room beside each other. */
  readonly isSplit: boolean;
}

/** Settings and contents of a pair, what changed before what did not. */
export function PairSections({ sections: { sections, settings, others }, isSplit }: PairSectionsProps) {
  const changed = sections.filter(({ isEqual }) => !isEqual);
  const equal = sections.filter(({ isEqual }) => isEqual);
  if (sections.length + settings.length + others.length === 0) {
    return (
      <EmptyState title="Only timing was recorded">
        Neither span has an input, an output or other attributes.
      </EmptyState>
    );
  }
  const settingsCard = settings.length > 0 && <SettingsCard title="Settings" pairs={settings} noun="settings" />;
  const hasChangedSettings = settings.some((pair) => !isSame(pair));
  return (
    <div className={styles.sections}>
      {hasChangedSettings && settingsCard}
      {changed.map((section) => (
        <SectionCard key={section.id} section={section} isSplit={isSplit} />
      ))}
      {!hasChangedSettings && settingsCard}
      {equal.map((section) => (
        <SectionCard key={section.id} section={section} isSplit={isSplit} />
      ))}
      {others.length > 0 && <SettingsCard title="Other attributes" pairs={others} noun="attributes" isQuiet />}
    </div>
  );
}

function SectionCard({ section, isSplit }: { readonly section: PairSection; readonly isSplit: boolean }) {
  const { title, pairs, isEqual } = section;
  return (
    <Card title={<Title text={title} isEqual={isEqual} />} defaultExpanded={!isEqual}>
      <div className={styles.units}>
        {groupEqual(pairs).map((group, place) =>
          group.isEqual && !isEqual ? (
            <EqualUnits key={place} pairs={group.pairs} isSplit={isSplit} />
          ) : (
            group.pairs.map((pair, at) => <Unit key={`${place} ${at}`} pair={pair} isSplit={isSplit} />)
          ),
        )}
      </div>
    </Card>
  );
}

function Title({ text, isEqual }: { readonly text: string; readonly isEqual: boolean }): ReactNode {
  return (
    <>
      {text}
      {isEqual && (
        <span className={styles.equal}>
          <Equal size={12} aria-hidden />
          equal
        </span>
      )}
    </>
  );
}

interface Group {
  readonly isEqual: boolean;
  readonly pairs: UnitPair[];
}

/** Pairs one after the other that are all equal, or all not. */
function groupEqual(pairs: readonly UnitPair[]): readonly Group[] {
  const groups: Group[] = [];
  for (const pair of pairs) {
    const isEqual = isSame(pair);
    const last = groups.at(-1);
    if (last?.isEqual === isEqual) last.pairs.push(pair);
    else groups.push({ isEqual, pairs: [pair] });
  }
  return groups;
}

function EqualUnits({ pairs, isSplit }: { readonly pairs: readonly UnitPair[]; readonly isSplit: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Equal size={12} aria-hidden />
        {describeEqual(pairs)}
        {!isOpen && <span className={styles.hint}>{pairs.at(-1)?.right?.slice(0, 120)}</span>}
      </button>
      {isOpen && pairs.map((pair, place) => <Unit key={place} pair={pair} isSplit={isSplit} />)}
    </>
  );
}

function Unit({ pair, isSplit }: { readonly pair: UnitPair; readonly isSplit: boolean }) {
  const { label, left, right } = pair;
  const only = left === null ? 'B' : right === null ? 'A' : undefined;
  const text = right ?? left ?? '';
  return (
    <article className={styles.unit} aria-label={label === '' ? undefined : label}>
      {(label !== '' || only !== undefined) && (
        <header className={styles.label}>
          {label}
          {only !== undefined && (
            <span className={styles.only}>
              only in <SideMark side={only} />
            </span>
          )}
        </header>
      )}
      {isSame(pair) ? (
        <p className={styles.same}>{text.length > MAX_SAME ? `${text.slice(0, MAX_SAME)}…` : text}</p>
      ) : (
        <TextDiff left={left} right={right} isSplit={isSplit} isCode={/^\s*[[{→]/.test(text)} />
      )}
    </article>
  );
}

/** Of an equal text: all of it is in the trace. */
const MAX_SAME = 4000;

function SettingsCard(props: {
  readonly title: string;
  readonly pairs: readonly SettingPair[];
  readonly noun: string;
  /** Folded even if something changed. */
  readonly isQuiet?: boolean;
}) {
  const { title, pairs, noun, isQuiet = false } = props;
  const changed = pairs.filter((pair) => !isSame(pair));
  const equal = pairs.filter(isSame);
  const [isOpen, setIsOpen] = useState(false);
  const shown = isOpen || changed.length === 0 ? [...changed, ...equal] : changed;
  return (
    <Card
      title={
        <Fragment key={changed.length}>
          <Title text={title} isEqual={changed.length === 0} />
          {isQuiet && changed.length > 0 && <span className={styles.equal}>{formatExact(changed.length)} changed</span>}
        </Fragment>
      }
      defaultExpanded={changed.length > 0 && !isQuiet}
    >
      <table className={styles.settings}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Name</VisuallyHidden>
            </th>
            <th scope="col">
              <SideMark side="A" />
            </th>
            <th scope="col">
              <SideMark side="B" />
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((pair) => (
            <tr key={pair.label} data-changed={!isSame(pair) || undefined}>
              <th scope="row">
                <Name>{pair.label}</Name>
              </th>
              <Value value={pair.left} />
              <Value value={pair.right} />
            </tr>
          ))}
        </tbody>
      </table>
      {changed.length > 0 && equal.length > 0 && !isOpen && (
        <button type="button" className={styles.fold} onClick={() => setIsOpen(true)}>
          <Equal size={12} aria-hidden />
          {formatExact(equal.length)} equal {nounOf(equal.length, noun)}
        </button>
      )}
    </Card>
  );
}

function Value({ value }: { readonly value: string | null }) {
  return <td className={styles.value}>{value === null ? '–' : value.slice(0, MAX_VALUE)}</td>;
}

const MAX_VALUE = 2000;
