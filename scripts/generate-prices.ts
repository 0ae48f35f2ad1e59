/**
 * Makes src/derive/cost/built-in-prices.json of LiteLLM's list of prices (MIT licence):
 *
 *   node scripts/generate-prices.ts <model_prices_and_context_window.json> <version> <date> <LICENSE>
 *
 * Where a price is another than in the list before, both stay: the new one holds from the date on.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ListedModel, PriceList } from '#derive/cost/built-in-list';
import { listPrices, mergePrices } from './prices/list-prices.ts';

const TARGET = resolve(import.meta.dirname, '../src/derive/cost/built-in-prices.json');

const [path, version, date, licensePath] = process.argv.slice(2);
if (
  path === undefined ||
  version === undefined ||
  !/^\d{4}-\d{2}-\d{2}$/.test(date ?? '') ||
  licensePath === undefined
) {
  process.stderr.write('usage: node scripts/generate-prices.ts <list.json> <version> <YYYY-MM-DD> <LICENSE>\n');
  process.exit(2);
}
const before = existsSync(TARGET) ? (JSON.parse(readFileSync(TARGET, 'utf8')) as PriceList).models : [];
const now = listPrices(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>);
const models = mergePrices(before, now, date as string);
const license = readFileSync(licensePath, 'utf8').trim();
const url = 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json';
const source = { name: 'LiteLLM', version, url, date, license };
writeFileSync(
  TARGET,
  `{\n"source": ${JSON.stringify(source)},\n"models": [\n${models.map(toLine).join(',\n')}\n]\n}\n`,
);
process.stdout.write(`${models.length} prices of ${now.length} models\n`);

function toLine(model: ListedModel): string {
  return JSON.stringify(model);
}
