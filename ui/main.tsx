import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RelayEnvironmentProvider } from 'react-relay';
import { RouterProvider } from '@tanstack/react-router';
import { relayEnvironment } from './lib/relay-environment.ts';
import { MissingError } from './lib/server-error.ts';
import { serverConfig } from './lib/server-config.ts';
import { loadViewer } from './lib/viewer.ts';
import { router } from './router.tsx';
import { RootCrash } from './routes/shell/crash-page.tsx';
import './styles/global.css';

const container = document.querySelector('#app');
if (container === null) throw new Error('The page has no #app.');
const root = createRoot(container, {
  onCaughtError(error) {
    // That there is no such thing is said on the page, and is no fault of it.
    // oxlint-disable-next-line no-console -- As React does where it is not asked.
    if (!(error instanceof MissingError)) console.error(error);
  },
});
// Nothing is shown before it is known who reads. The code of the first page comes meanwhile.
if (serverConfig.authEnabled) void router.load();
loadViewer().then(
  () =>
    root.render(
      <StrictMode>
        <RelayEnvironmentProvider environment={relayEnvironment}>
          <RouterProvider router={router} />
        </RelayEnvironmentProvider>
      </StrictMode>,
    ),
  (error: unknown) => root.render(<RootCrash error={error} />),
);
