import { ensureSession } from './session.ts';
import { serverConfig } from './server-config.ts';

/** Has the browser store what the server answers at a path. The browser asks by itself, so there must be a session before. */
export function download(path: string, fileName: string): void {
  const start = () => {
    const link = document.createElement('a');
    link.href = `${serverConfig.rootPath}${path}`;
    link.download = fileName;
    link.click();
  };
  if (!serverConfig.authEnabled) return start();
  // If nobody can say whether there is one, the browser shows what the server answers.
  ensureSession().then(start, start);
}
