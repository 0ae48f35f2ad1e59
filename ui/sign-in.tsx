/** The pages that need no session: a page of its own, with neither the shell nor the router, because it is the first to load. */
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { serverConfig } from './lib/server-config.ts';
import { addressOf, pagePath } from './routes/sign-in/addresses.ts';
import { ChangePage } from './routes/sign-in/change-page.tsx';
import { ConsentPage } from './routes/sign-in/consent-page.tsx';
import { ForgotPasswordPage } from './routes/sign-in/forgot-password-page.tsx';
import { LoginPage } from './routes/sign-in/login-page.tsx';
import { resumeForApplication } from './routes/sign-in/resume-for-application.ts';
import { ResumePage } from './routes/sign-in/resume-page.tsx';
import { SignedOutPage } from './routes/sign-in/signed-out-page.tsx';
import { TokenPage } from './routes/sign-in/token-page.tsx';
import './styles/global.css';

const PAGES: Readonly<Record<string, ComponentType>> = {
  '/login': LoginPage,
  '/logout': SignedOutPage,
  '/forgot-password': ForgotPasswordPage,
  '/reset-password': ChangePage,
  '/reset-password-with-token': TokenPage,
  '/oauth2/consent': ConsentPage,
};

const container = document.querySelector('#app');
if (container === null) throw new Error('The page has no #app.');
if (serverConfig.authEnabled) {
  if (pagePath === '/login') void resumeForApplication();
  const Page = PAGES[pagePath] ?? ResumePage;
  createRoot(container).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
} else {
  // There is nothing to sign in to.
  location.replace(addressOf('/projects'));
}
