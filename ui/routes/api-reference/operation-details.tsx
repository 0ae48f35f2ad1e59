import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Badge, type Tone } from '#ui/components/badge.tsx';
import { CodeBlock } from '#ui/components/code-block/code-block.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { serverConfig } from '#ui/lib/server-config.ts';
import { type Content, describeAccess, type Operation, type Parameter } from './api-document.ts';
import { describeField, exampleOf, type Schemas } from './describe-schema.ts';
import { FieldList } from './field-list.tsx';
import { InlineText } from './inline-text.tsx';
import { Method } from './method.tsx';
import styles from './reference-page.module.css';
import { curlOf } from './request-example.ts';
import { SchemaFields } from './schema-fields.tsx';

/** See {@link OperationDetails}. */
export interface OperationDetailsProps {
  readonly operation: Operation;
  readonly schemas: Schemas;
  /** There is no list beside it. */
  readonly isAlone: boolean;
}

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

/** What an operation takes and answers, and how to call it. */
export function OperationDetails({ operation, schemas, isAlone }: OperationDetailsProps) {
  const { method, path, summary, description, operationId, parameters = [], requestBody } = operation;
  const access = describeAccess(operation['x-access']);
  const target = { url: `${location.origin}${serverConfig.rootPath}`, needsKey: serverConfig.authEnabled };
  return (
    <article className={styles.article} aria-labelledby="operation-summary">
      {isAlone && (
        <Link to="/docs" search={{}} className={styles.back}>
          <ArrowLeft size={15} aria-hidden />
          All operations
        </Link>
      )}
      <h2 id="operation-summary" className={styles.summary}>
        {summary}
      </h2>
      <p className={styles.address}>
        <Method method={method} />
        <code>{path}</code>
        <CopyButton text={path} label="Copy path" />
      </p>
      {description !== undefined && (
        <p className={styles.lead}>
          <InlineText text={description} />
        </p>
      )}
      <p className={styles.hint}>
        {access !== undefined && <>For: {access}. </>}
        Operation id: <code>{operationId}</code>
      </p>
      <h3 className={styles.heading}>Request</h3>
      <CodeBlock text={curlOf(operation, schemas, target)} label="request" isForCopying wraps />
      {PLACES.map(([place, title]) => (
        <Parameters
          key={place}
          title={title}
          parameters={parameters.filter((parameter) => parameter.in === place)}
          schemas={schemas}
        />
      ))}
      {requestBody !== undefined && (
        <>
          <h3 className={styles.heading}>Body</h3>
          <ContentView content={requestBody.content} schemas={schemas} label="Fields of the body" />
        </>
      )}
      <h3 className={styles.heading}>Responses</h3>
      <ul className={styles.responses}>
        {Object.entries(operation.responses).map(([status, { description: text, content = {} }]) => (
          <li key={status} className={styles.response}>
            <Status status={status} text={text} />
            <ContentView
              content={content}
              schemas={schemas}
              label={`Fields of the response ${status}`}
              hasExample={status.startsWith('2')}
            />
          </li>
        ))}
      </ul>
      <SharedResponses responses={operation.sharedResponses} />
    </article>
  );
}

function Status({ status, text }: { readonly status: string; readonly text: string }) {
  return (
    <p className={styles.status}>
      <Badge tone={toneOf(status)}>{status}</Badge>
      <span>
        <InlineText text={text} />
      </span>
    </p>
  );
}

/** What most operations answer when they refuse: folded, for readers know it from the first one that they read. */
function SharedResponses({ responses }: { readonly responses: Operation['responses'] }) {
  const all = Object.entries(responses);
  if (all.length === 0) return null;
  return (
    <details className={styles.example}>
      <summary>Common refusals: {all.map(([status]) => status).join(', ')}</summary>
      <ul className={styles.responses}>
        {all.map(([status, { description }]) => (
          <li key={status} className={styles.response}>
            <Status status={status} text={description} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ParametersProps {
  readonly title: string;
  readonly parameters: readonly Parameter[];
  readonly schemas: Schemas;
}

function Parameters({ title, parameters, schemas }: ParametersProps) {
  if (parameters.length === 0) return null;
  const fields = parameters.map(({ name, schema, required = false, description }) => ({
    ...describeField(name, schema, required, schemas),
    ...(description !== undefined && { description }),
  }));
  return (
    <>
      <h3 className={styles.heading}>{title}</h3>
      <FieldList fields={fields} schemas={schemas} label={title} />
    </>
  );
}

interface ContentViewProps {
  readonly content: Content;
  readonly schemas: Schemas;
  readonly label: string;
  readonly hasExample?: boolean;
}

function ContentView({ content, schemas, label, hasExample = false }: ContentViewProps) {
  const types = Object.keys(content);
  const schema = Object.values(content).find((one) => one.schema !== undefined)?.schema;
  if (types.length === 0) return null;
  return (
    <div className={styles.content}>
      <p className={styles.types}>
        {types.map((type) => (
          <code key={type}>{type}</code>
        ))}
      </p>
      {schema !== undefined && (
        <>
          <SchemaFields schema={schema} schemas={schemas} label={label} />
          {hasExample && (
            <details className={styles.example}>
              <summary>Example</summary>
              <CodeBlock text={JSON.stringify(exampleOf(schema, schemas, true), null, 2)} label="response" isJson />
            </details>
          )}
        </>
      )}
    </div>
  );
}

function toneOf(status: string): Tone {
  if (status.startsWith('2')) return 'success';
  return status.startsWith('5') ? 'danger' : 'warning';
}
