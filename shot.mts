import { launchBrowser } from './test/harness/browser.ts';
const [base, out, ...rest] = process.argv.slice(2);
const browser = await launchBrowser();
const q = async (query: string, variables = {}) => (await (await fetch('http://localhost:7791/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) })).json()).data;
const data = await q(`{ projects(first: 5) { edges { node { name id traces(first: 60) { edges { node { traceId numSpans rootSpan { name } } } } } } } }`);
const pick: any = {};
for (const { node } of data.projects.edges) for (const { node: t } of node.traces.edges) (pick[`${node.name}/${t.rootSpan?.name}`] ??= []).push(t);
const names = Object.keys(pick).map((n) => `${n} ${pick[n].length} spans ${pick[n].map((t: any) => t.numSpans).slice(0, 6)}`);
console.log(names.join('\n'));
const key = Object.keys(pick).filter((k) => k.includes(base ?? 'travel') && pick[k].length > 1)[0]!;
const list = pick[key].toSorted((x: any, y: any) => y.numSpans - x.numSpans);
const [a, b] = list;
for (const [width, theme] of [[1440, 'light'], [1440, 'dark'], [390, 'light'], [390, 'dark']] as const) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, ...(width < 500 && { hasTouch: true, isMobile: true }) });
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && console.log('CONSOLE', m.text().slice(0, 500)));
  page.on('pageerror', (e) => console.log('ERR', e.message));
  await page.goto(`http://localhost:7791/compare/traces?a=${a.traceId}&b=${b.traceId}`);
  await page.getByRole('tree').waitFor({ timeout: 20000 }).catch(async () => { await page.screenshot({ path: '/tmp/cmp/fail.png' }); });
  await page.waitForTimeout(700);
  if (theme === 'light' || width > 1000) await page.screenshot({ path: `/tmp/cmp/${out}-${width}-${theme}.png` });
  if (width === 1440 && theme === 'light') { for (let i = 0; i < 2; i++) await page.keyboard.press('d'); await page.waitForTimeout(700); await page.screenshot({ path: `/tmp/cmp/${out}-next.png` });
    await page.goto(`http://localhost:7791/compare/traces?b=${b.traceId}`); await page.waitForTimeout(1200); await page.screenshot({ path: `/tmp/cmp/${out}-pick.png` }); }
  if (width === 390) { await page.getByRole('treeitem').nth(1).click(); await page.waitForTimeout(700); await page.screenshot({ path: `/tmp/cmp/${out}-390-details-${theme}.png` }); }
  await context.close();
}
await browser.close();
