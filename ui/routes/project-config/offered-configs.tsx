import { Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { offeredConfigs_project$key } from '#ui/__generated__/offeredConfigs_project.graphql.ts';
import { Badge } from '#ui/components/badge.tsx';
import { Fact, FactList } from '#ui/components/fact-list.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { describeConfig, kindName, toShownConfig } from '../annotation-configs/shown-config.ts';
import styles from './project-config.module.css';

/** The annotation configs of a project. */
export function OfferedConfigs({ project }: { readonly project: offeredConfigs_project$key }) {
  const { annotationConfigs } = useFragment(
    graphql`
      fragment offeredConfigs_project on Project {
        annotationConfigs(first: 1000) {
          edges {
            node {
              ... on Node {
                id
              }
              ... on AnnotationConfigBase {
                name
                description
                annotationType
                isStrict
              }
              ... on CategoricalAnnotationConfig {
                values {
                  label
                  score
                }
              }
              ... on ContinuousAnnotationConfig {
                lowerBound
                upperBound
              }
              ... on FreeformAnnotationConfig {
                threshold
                lowerBound
                upperBound
              }
            }
          }
        }
      }
    `,
    project,
  );
  const configs = annotationConfigs.edges.flatMap(({ node }) => toShownConfig(node) ?? []);
  if (configs.length === 0)
    return (
      <p className={styles.none}>
        None. Configs are made in the <Link to="/settings/annotations">settings</Link>.
      </p>
    );
  return (
    <FactList>
      {configs.map((config) => (
        <Fact key={config.id} label={revealHidden(config.name)} note={kindName(config.kind)}>
          {revealHidden(describeConfig(config))} {config.isStrict && <Badge>Strict</Badge>}
        </Fact>
      ))}
    </FactList>
  );
}
