/** Serves the web UI that the build put beside the program: its files, and one page for every address that it knows. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { CAIRN_VERSION } from '#base/version';
import { declareAccess } from '#api/rest/access';
import { type PageName, type RenderPage, sendReply } from '#api/rest/reply';
import type { Config } from '#config/config';
import { operationPolicy, servicePolicy } from './policy.ts';
import type { FindPage } from './redirects.ts';

/** What pages are told about signing in; nothing secret, everyone may read it. */
export interface SignInPageConfig {
  readonly authEnabled: boolean;
  /** Whether signing in with a password is switched off. */
  readonly basicAuthDisabled: boolean;
  /** With which people can sign in otherwise. */
  readonly providers: readonly { readonly name: string; readonly displayName: string }[];
  /** Whether the page for signing in leads to a provider by itself. */
  readonly isAutomatic: boolean;
  /** Whether people can sign in with a directory (LDAP). */
  readonly ldapEnabled: boolean;
  /** Whether administrators can prepare accounts for people of the directory. */
  readonly canPrepareDirectoryUsers: boolean;
  /** Whether people can have a link sent to them that sets a new password. */
  readonly canResetByMail: boolean;
  readonly managementUrl: string | null;
  /** Whether the strong password policy holds. */
  readonly hasStrongPasswords: boolean;
}

/** What the configuration says of it. */
export function describeSignIn({ auth, mail, rootUrl }: Pick<Config, 'auth' | 'mail' | 'rootUrl'>): SignInPageConfig {
  return {
    authEnabled: auth.isEnabled,
    basicAuthDisabled: auth.passwords.isDisabled,
    providers: auth.isEnabled ? auth.providers.map(({ name, displayName }) => ({ name, displayName })) : [],
    isAutomatic: auth.providers.some(({ isAutomatic }) => isAutomatic),
    ldapEnabled: auth.isEnabled && auth.ldap !== null,
    // Such an account is told by its address.
    canPrepareDirectoryUsers: auth.isEnabled && auth.ldap !== null && auth.ldap.users.emailAttribute !== null,
    // A link needs an address to lead to, and nothing that a request says is taken for it.
    canResetByMail: auth.isEnabled && !auth.passwords.isDisabled && mail !== null && rootUrl !== null,
    managementUrl: auth.managementUrl,
    hasStrongPasswords: auth.passwords.isStrong,
  };
}

/** What the page is told of the server; nothing secret, everybody may read it. */
export interface WebUiOptions {
  readonly rootPath: string;
  /** Authentication is off unless given. */
  readonly signIn?: SignInPageConfig;
  /** `host:port`, known once the server listens. */
  readonly grpcAddress: () => string;
  /** The provider that the page for signing in leads to; none unless given. */
  readonly automaticProvider?: string | undefined;
  /** Where stable addresses lead to; nowhere unless given. */
  readonly findPage?: FindPage;
  /** Where the build is; the one beside the program unless a test has its own. */
  readonly folder?: string;
}

const TEMPLATES: Readonly<Record<PageName, string>> = { app: 'index.html', 'sign-in': 'sign-in.html' };

/** The pages of this build, or a text where there is none: one for every address of the product, where the browser's router decides what it shows, and one for signing in. */
export function createPage({ rootPath, grpcAddress, signIn = OPEN, folder = BUILT }: WebUiOptions): RenderPage {
  const templates = {
    app: readTemplate(folder, 'app', rootPath),
    'sign-in': readTemplate(folder, 'sign-in', rootPath),
  };
  return (status, name = 'app') => {
    const html = templates[name];
    if (html === undefined) return { status: 503, body: NOT_BUILT };
    const nonce = randomBytes(16).toString('base64');
    const config = { rootPath, version: CAIRN_VERSION, grpcAddress: grpcAddress(), ...signIn };
    const data =
      `<meta property="csp-nonce" nonce="${nonce}">` +
      `<script type="application/json" id="cairn-config">${escapeScript(JSON.stringify(config))}</script>`;
    return {
      status,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': pagePolicy(nonce), 'cross-origin-opener-policy': 'same-origin' },
      body: html.replace('</head>', () => `${data}</head>`),
    };
  };
}

/** Adds the files of the build, and the page at the addresses that the browser's router knows. */
export function registerWebUi(app: FastifyInstance, renderPage: RenderPage, options: WebUiOptions): void {
  const { folder = BUILT, rootPath, findPage, automaticProvider } = options;
  app.register(async (scope) => {
    declareAccess(scope, servicePolicy.openPages);
    scope.get<{ Params: { readonly '*': string } }>(
      '/redirects/*',
      { config: { access: servicePolicy.redirect } },
      async ({ caller, params }, reply) => {
        // A name may have slashes of its own.
        const [, kind = '', id = ''] = /^([^/]*)\/(.*)$/s.exec(params['*']) ?? [];
        const path = id === '' ? undefined : await findPage?.(caller, kind, id);
        if (path === undefined) return sendReply(reply, renderPage(404));
        const headers = { location: `${rootPath}${path}`, 'cache-control': 'no-store' };
        return sendReply(reply, { status: 302, headers, body: undefined });
      },
    );
    for (const url of PAGES) scope.get(url, async (_request, reply) => sendReply(reply, renderPage(200)));
    for (const [url, access] of INTERFACE_PAGES) {
      scope.get(url, { config: { access } }, async (_request, reply) => sendReply(reply, renderPage(200)));
    }
    for (const url of SIGN_IN_PAGES) {
      scope.get(url, async (request, reply) => {
        const provider = url === '/login' && hasNothingToSay(request.query) ? automaticProvider : undefined;
        if (provider === undefined) return sendReply(reply, renderPage(200, 'sign-in'));
        const location = `${rootPath}/oauth2/${provider}/login${request.url.replace(/^[^?]*/, '')}`;
        return sendReply(reply, { status: 307, headers: { location, 'cache-control': 'no-store' }, body: undefined });
      });
    }
    if (readIfBuilt(`${folder}/index.html`) === undefined) return;
    await scope.register(fastifyStatic, {
      root: folder,
      // One route for each file that is there: no path is ever joined.
      wildcard: false,
      globIgnore: [...Object.values(TEMPLATES), '**/*.br', '**/*.gz'],
      index: false,
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Names of assets hold a digest of their contents.
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
        reply.header('vary', 'accept-encoding');
      },
    });
  });
}

/** Addresses that begin so are pages; what the browser's router does not find below them it says itself. */
const PAGES = [
  '/',
  '/projects',
  '/projects/*',
  '/compare/*',
  '/queues',
  '/queues/*',
  '/profile',
  '/settings',
  '/settings/*',
];

/** Pages that show what the interfaces can do, for callers who may use them. */
const INTERFACE_PAGES = [
  ['/docs', servicePolicy.openDocs],
  ['/graphql', operationPolicy.openPage],
] as const;

const SIGN_IN_PAGES = [
  '/login',
  '/logout',
  '/forgot-password',
  '/reset-password',
  '/reset-password-with-token',
  '/oauth2/consent',
];

const OPEN: SignInPageConfig = {
  authEnabled: false,
  basicAuthDisabled: false,
  providers: [],
  isAutomatic: false,
  ldapEnabled: false,
  canPrepareDirectoryUsers: false,
  canResetByMail: false,
  managementUrl: null,
  hasStrongPasswords: false,
};

const BUILT = fileURLToPath(
  import.meta.url.endsWith('.ts') ? new URL('../../dist/ui', import.meta.url) : new URL('./ui', import.meta.url),
);

const NOT_BUILT = 'The web UI is not built. Run `npm run build`, then restart the server.';

/**
 * Nothing from another host, nothing inline but styles with this page's nonce, pictures and sounds only from the server or
 * from bytes that a span itself holds.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Whether the page for signing in was asked for without an error, a message or a choice, which people must see. */
function hasNothingToSay(query: unknown): boolean {
  return Object.keys(query as object).every((name) => name === 'returnUrl');
}

/** The build names its files relative to the page, which stands at addresses of any depth. */
function readTemplate(folder: string, name: PageName, rootPath: string): string | undefined {
  return readIfBuilt(`${folder}/${TEMPLATES[name]}`)?.replaceAll(
    /(?<= (?:src|href)=")\.(?=\/)/g,
    escapeAttribute(rootPath),
  );
}

function readIfBuilt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // a checkout that was not built serves its interfaces all the same
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** JSON that cannot end the element that holds it. */
function escapeScript(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}
