import { ListChecks } from 'lucide-react';
import { graphql } from 'react-relay';
import type { annotationChartsNamesQuery } from '#ui/__generated__/annotationChartsNamesQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { readStored, writeStored } from '#ui/lib/storage.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useState } from 'react';
import { NOTE, readObservedNames } from '../project/annotation-ids.ts';
import { useProjectView } from '../project/project-view.ts';
import { AnnotationChart } from './annotation-chart.tsx';
import { Card } from './chart-card.tsx';
import type { ChartFrame } from './drawn-chart.tsx';
import styles from './metrics-page.module.css';

const NAMES = graphql`
  query annotationChartsNamesQuery($projectId: ID!) {
    project: node(id: $projectId) {
      ... on Project {
        spanAnnotationNames
      }
    }
  }
`;

/** Charts at a time. */
const MAX_CHARTS = 6;

interface AnnotationChartsProps extends ChartFrame {
  /** The filter for spans; null shows the whole project. */
  readonly shown: string | null;
  readonly resetKey: string;
}

/** A chart for each name of annotations of spans; nothing while there are none. */
export function AnnotationCharts({ resetKey, ...frame }: AnnotationChartsProps) {
  const { projectId, refreshCount } = useProjectView();
  const { data } = useAnswer<annotationChartsNamesQuery>(NAMES, { projectId }, refreshCount);
  const names = (data?.project.spanAnnotationNames ?? []).filter((name) => name !== NOTE);
  const [chosen, choose] = useChosenNames(projectId);
  const kept = chosen?.filter((name) => names.includes(name)) ?? [];
  const drawn = (kept.length > 0 ? kept : names).slice(0, MAX_CHARTS);
  return (
    <>
      {names.length > MAX_CHARTS && (
        <div className={styles.names}>
          <MenuTrigger>
            <Button icon={ListChecks}>Annotations shown</Button>
            <Menu
              label={`Annotations shown, at most ${MAX_CHARTS}`}
              selectionMode="multiple"
              disallowEmptySelection
              selectedKeys={drawn}
              disabledKeys={drawn.length < MAX_CHARTS ? [] : names.filter((name) => !drawn.includes(name))}
              onSelectionChange={(keys) => choose(names.filter((name) => keys === 'all' || keys.has(name)))}
            >
              {names.map((name) => (
                <MenuItem key={name} id={name}>
                  {revealHidden(name)}
                </MenuItem>
              ))}
            </Menu>
          </MenuTrigger>
        </div>
      )}
      {drawn.map((name) => (
        <Card key={name} title={`Annotations: ${revealHidden(name)}`} resetKey={resetKey}>
          <AnnotationChart name={name} title={`Annotations: ${revealHidden(name)}`} {...frame} />
        </Card>
      ))}
    </>
  );
}

/** The names that this browser shows of a project; undefined before somebody chose. */
function useChosenNames(projectId: string) {
  const key = `metrics.annotations.${projectId}`;
  const [changed, setChanged] = useState<{ readonly key: string; readonly names: readonly string[] }>();
  const names = changed?.key === key ? changed.names : readStored(key, readObservedNames);
  const choose = (next: readonly string[]) => {
    writeStored(key, next);
    setChanged({ key, names: next });
  };
  return [names, choose] as const;
}
