/** Annotation configs: made, changed and deleted in the settings, and offered by a project. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, rows } from './list-page.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('a config is made, with its faults beside their fields, offered by a project, changed and deleted', async () => {
  await using tab = await openPage(browser, `${server.url}/settings/annotations`);
  const { page } = tab;
  await rows(page).filter({ hasText: 'positive (1), negative (0)' }).waitFor();

  await page.getByRole('button', { name: 'New config' }).click();
  const window = page.getByRole('dialog', { name: 'New annotation config' });
  await window.getByRole('textbox', { name: 'Name', exact: true }).fill('user_feedback');
  await window.getByRole('textbox', { name: 'Label 1' }).fill('kind');
  await window.getByRole('textbox', { name: 'Score 1' }).fill('one');
  await window.getByRole('textbox', { name: 'Label 2' }).fill('kind');
  await window.getByRole('button', { name: 'Create config' }).click();
  await window.getByText('Enter a number.').waitFor();
  await window.getByText('The label "kind" occurs twice').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await window.getByRole('textbox', { name: 'Score 1' }).fill('1');
  await window.getByRole('textbox', { name: 'Label 2' }).fill('rude');
  await window.getByRole('button', { name: 'Add label' }).click();
  await window.getByRole('textbox', { name: 'Label 3' }).fill('unclear');
  await window.getByRole('button', { name: 'Remove label 2' }).click();
  await window.getByRole('checkbox', { name: /Refuse annotations/ }).check({ force: true });
  await window.getByRole('button', { name: 'Create config' }).click();
  await window.getByText('An annotation config named user_feedback already exists.').waitFor();
  await window.getByRole('textbox', { name: 'Name', exact: true }).fill('tone');
  await window.getByRole('button', { name: 'Create config' }).click();
  await window.waitFor({ state: 'detached' });
  await rows(page).filter({ hasText: 'kind (1), unclear' }).waitFor();
  const { data: created } = await getJson<{ data: unknown }>(`${server.url}/v1/annotation_configs/tone`);
  expect(created).toMatchObject({
    type: 'CATEGORICAL',
    is_strict: true,
    optimization_direction: 'MAXIMIZE',
    values: [
      { label: 'kind', score: 1 },
      { label: 'unclear', score: null },
    ],
  });

  await visit(page, `/projects/${await findProjectId(server.url, 'default')}/config`);
  const section = page.getByRole('region', { name: 'Annotation configs' });
  await section.getByText('None.').waitFor();
  await section.getByRole('button', { name: 'Choose…' }).click();
  const choice = page.getByRole('dialog', { name: 'Annotation configs' });
  await choice.getByRole('checkbox', { name: 'tone' }).check({ force: true });
  await choice.getByRole('checkbox', { name: 'user_feedback' }).check({ force: true });
  expect(await findBarriers(page)).toEqual([]);
  await choice.getByRole('button', { name: 'Save' }).click();
  await choice.waitFor({ state: 'detached' });
  await section.getByText('kind (1), unclear').waitFor();
  await section.getByRole('button', { name: 'Choose…' }).click();
  await choice.getByRole('checkbox', { name: 'user_feedback' }).uncheck({ force: true });
  await choice.getByRole('button', { name: 'Save' }).click();
  await section.getByText('user_feedback').waitFor({ state: 'detached' });
  const { data: offered } = await getJson<{ data: readonly { name: string }[] }>(
    `${server.url}/v1/projects/default/annotation_configs`,
  );
  expect(offered.map(({ name }) => name)).toEqual(['tone']);

  await visit(page, '/settings/annotations');
  await page.getByRole('button', { name: 'Actions for tone' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const edited = page.getByRole('dialog', { name: 'Edit annotation config' });
  await edited.getByRole('radio', { name: 'Continuous' }).click();
  await edited.getByRole('textbox', { name: 'Lowest score' }).fill('5');
  await edited.getByRole('textbox', { name: 'Highest score' }).fill('1');
  await edited.getByRole('button', { name: 'Save' }).click();
  await edited.getByText('The upper bound must be greater than the lower bound.').waitFor();
  await edited.getByRole('textbox', { name: 'Highest score' }).fill('10');
  await edited.getByRole('button', { name: 'Save' }).click();
  await edited.waitFor({ state: 'detached' });
  await rows(page).filter({ hasText: '5 to 10' }).waitFor();
  await page.getByRole('button', { name: 'Actions for tone' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByText('1 project will no longer offer it.').waitFor();
  await page.getByRole('button', { name: 'Delete config' }).click();
  await rows(page).filter({ hasText: 'tone' }).waitFor({ state: 'detached' });
  expect(tab.faults).toEqual([]);
});
