import { resumeSession } from '#ui/lib/session.ts';
import { addressOf, returnPath } from './addresses.ts';

/**
 * Goes on to an application's question if the browser is signed in after all: cookies do not come along from the page of another site that led
 * here, and they may have to be renewed.
 */
export async function resumeForApplication(): Promise<void> {
  const isAsked = returnPath?.startsWith(addressOf('/oauth2/authorize?')) === true;
  // Once is enough: if the cookies do not reach that address, the user signs in.
  if (returnPath === undefined || !isAsked || sessionStorage.getItem(RESUMED) === returnPath) return;
  if (!(await resumeSession().catch(() => false))) return;
  sessionStorage.setItem(RESUMED, returnPath);
  location.replace(returnPath);
}

const RESUMED = 'sign-in.resumed';
