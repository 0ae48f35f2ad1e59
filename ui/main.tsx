import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RelayEnvironmentProvider } from 'react-relay';
import { RouterProvider } from '@tanstack/react-router';
import { relayEnvironment } from './lib/relay-environment.ts';
import { router } from './router.tsx';
import './styles/global.css';

const container = document.querySelector('#app');
if (container === null) throw new Error('The page has no #app.');
createRoot(container).render(
  <StrictMode>
    <RelayEnvironmentProvider environment={relayEnvironment}>
      <RouterProvider router={router} />
    </RelayEnvironmentProvider>
  </StrictMode>,
);
