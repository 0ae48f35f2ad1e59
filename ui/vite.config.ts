import { transformAsync } from '@babel/core';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { graphiqlStyles } from './graphiql-styles.ts';
import { sharedScripts } from './shared-scripts.ts';

export default defineConfig({
  root: import.meta.dirname,
  // Addresses are relative to the file that names them, so that the build works below any root path.
  base: './',
  plugins: [relay(), graphiqlStyles(), react()],
  build: {
    // Of every package that is bundled.
    license: { fileName: 'LICENSES.md' },
    // Every asset is a file of its own: the page's content security policy allows nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // GraphiQL, which only its own page loads.
    chunkSizeWarningLimit: 800,
    rollupOptions: {
      onLog: (level, log, handle) => {
        // A hint to a compiler that has run already.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
      // People who have not signed in load a page of its own, with a fraction of the script.
      input: ['index', 'sign-in'].map((page) => `${import.meta.dirname}/${page}.html`),
      output: { codeSplitting: { groups: sharedScripts(import.meta.dirname) } },
    },
  },
});

/** Turns `graphql` tags into imports of the artifacts that relay-compiler has made. */
function relay(): Plugin {
  return {
    name: 'relay',
    enforce: 'pre',
    async transform(code, id) {
      if (!/\.tsx?$/.test(id) || id.includes('node_modules') || !code.includes('graphql`')) return null;
      const result = await transformAsync(code, {
        filename: id,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', 'jsx'] },
        plugins: [
          ['babel-plugin-relay', { eagerEsModules: true, artifactDirectory: `${import.meta.dirname}/__generated__` }],
        ],
      });
      return result?.code == null ? null : { code: result.code, map: result.map ?? null };
    },
  };
}
