/** How each dialect reads, as text beside this file; `npx vitest run test/dialects/golden.test.ts -u` writes it anew. */
import { describe, expect, it } from 'vitest';
import { drawScenario } from './golden.ts';
import { readInProcess } from './read-in-process.ts';
import { listFolders, readScenarios } from './recording.ts';

describe('the reading of', () => {
  it.each(listFolders())('%s', async (folder) => {
    const text = readScenarios(folder).map((scenario) => drawScenario(scenario, readInProcess(scenario)));
    await expect(text.join('\n')).toMatchFileSnapshot(`golden/${folder}.txt`);
  });
});
