import { Name } from '#ui/components/name.tsx';
import { Fold } from './fold.tsx';
import { JsonContent } from './json-content.tsx';
import type { ToolDefinition } from './model/tools.ts';
import { TextContent } from './text-content.tsx';
import styles from './tools-view.module.css';

/** The tools that a model could call, each with its schema behind its name. */
export function ToolsView({ tools }: { readonly tools: readonly ToolDefinition[] }) {
  return (
    <ul className={styles.tools}>
      {tools.map((tool, index) => (
        <li key={index} className={styles.tool}>
          <p className={styles.name}>{tool.name === undefined ? 'Tool without a name' : <Name>{tool.name}</Name>}</p>
          {tool.description !== undefined && <TextContent text={tool.description} label="description" />}
          <Fold title={tool.parameters === undefined ? 'Definition' : 'Parameters'} hint={hintOf(tool)} isCode>
            <JsonContent value={tool.parameters ?? tool.definition} label="parameters" />
          </Fold>
        </li>
      ))}
    </ul>
  );
}

function hintOf({ parameters }: ToolDefinition): string | undefined {
  if (typeof parameters !== 'object' || parameters === null || !('properties' in parameters)) return undefined;
  return Object.keys(parameters.properties ?? {}).join(', ');
}
