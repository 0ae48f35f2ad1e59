import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { graphql } from 'react-relay';
import type { testNameQuery } from '#ui/__generated__/testNameQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Name } from '#ui/components/name.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatUsd } from '#ui/lib/format.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import settingsStyles from '../settings.module.css';
import { rateOf } from './price-form.ts';
import styles from './models-page.module.css';

const QUERY = graphql`
  query testNameQuery($modelName: String!, $provider: String) {
    price: generativeModelOfCall(modelName: $modelName, provider: $provider) {
      id
      name
      provider
      kind
      tokenPrices {
        kind
        tokenType
        costPerMillionTokens
      }
    }
  }
`;

interface TestNameProps {
  /** Another number after each change of the prices. */
  readonly changeCount: number;
}

/** Tells which price a model has, by the name that an application sends. */
export function TestName({ changeCount }: TestNameProps) {
  return (
    <PopoverTrigger>
      <Button icon={FlaskConical}>Test a name</Button>
      <Popover label="Test a model name" placement="bottom end">
        {({ close }) => <Test changeCount={changeCount} onLeave={close} />}
      </Popover>
    </PopoverTrigger>
  );
}

function Test({ changeCount, onLeave }: TestNameProps & { readonly onLeave: () => void }) {
  const [text, setText] = useState({ modelName: '', provider: '' });
  const modelName = useDeferredValue(text.modelName.trim());
  const provider = useDeferredValue(text.provider.trim());
  const asked = modelName === '' ? null : { modelName, provider: provider === '' ? null : provider };
  const { data, error } = useAnswer<testNameQuery>(QUERY, asked, changeCount);
  return (
    <div className={styles.test}>
      <TextField
        label="Model name"
        placeholder="gpt-4o-2024-08-06"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- It was opened to type into.
        autoFocus
        autoComplete="off"
        spellCheck="false"
        maxLength={256}
        value={text.modelName}
        onChange={(next) => setText({ ...text, modelName: next })}
      />
      <TextField
        label="Provider"
        placeholder="any"
        autoComplete="off"
        maxLength={256}
        value={text.provider}
        onChange={(next) => setText({ ...text, provider: next })}
      />
      <output className={styles.answer}>
        {asked === null ? (
          <span className={settingsStyles.hint}>Enter a name as an application sends it.</span>
        ) : error !== undefined ? (
          describeError(error)
        ) : (
          data !== undefined && <Answer price={data.price} onLeave={onLeave} />
        )}
      </output>
    </div>
  );
}

interface AnswerProps {
  readonly price: testNameQuery['response']['price'];
  readonly onLeave: () => void;
}

function Answer({ price, onLeave }: AnswerProps) {
  if (price == null) return 'No price matches. Calls of this model have no cost.';
  const { id, name, provider, kind, tokenPrices } = price;
  return (
    <>
      <Link to="/settings/models/$modelId" params={{ modelId: id }} onClick={onLeave}>
        <Name>{name}</Name>
      </Link>{' '}
      <span className={settingsStyles.muted}>
        {kind === 'CUSTOM' ? 'custom' : 'built-in'}, {provider ?? 'any provider'}
      </span>
      <br />
      {formatUsd(rateOf(tokenPrices, 'input'))} prompt, {formatUsd(rateOf(tokenPrices, 'output'))} completion, per
      million tokens
    </>
  );
}
